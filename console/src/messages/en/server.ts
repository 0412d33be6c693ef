export const server = {
  title: 'Server',
};
