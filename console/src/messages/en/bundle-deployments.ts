/** Where the servers of the bundle run. */
export const deployments = {
  title: (name: string) => name,
};
