export const requests = {
  title: 'Requests',
};
