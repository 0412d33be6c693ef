/** The access tokens of the bundle. */
export const tokens = {
  title: (name: string) => name,
};
