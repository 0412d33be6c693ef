/** Who may see a listing or bundle: everyone with an account, or only its owners. */
export const VISIBILITIES = ['PUBLIC', 'PRIVATE'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
