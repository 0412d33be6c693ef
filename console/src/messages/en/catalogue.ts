export const catalogue = {
  title: 'Catalogue',
};
