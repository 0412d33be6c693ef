/** How clients reach the bundle, and what keeps its servers from being served. */
export const endpoint = {
  title: (name: string) => name,
};
