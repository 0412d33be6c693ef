/** Who may use which tools of the bundle. */
export const policies = {
  title: (name: string) => name,
};
