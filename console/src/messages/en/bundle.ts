export const bundle = {
  title: 'Bundle',
};
