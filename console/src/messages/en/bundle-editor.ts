/** The editor of a bundle. */
export const editor = {
  title: 'Edit the bundle',
};
