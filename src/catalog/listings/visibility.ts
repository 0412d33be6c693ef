/** Who may see a listing or bundle: everybody with an account, or only those to whom it belongs. */
export const VISIBILITIES = ['PUBLIC', 'PRIVATE'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
