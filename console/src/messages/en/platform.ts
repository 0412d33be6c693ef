/** What is around the screens of the platform. */
export const platform = {
  nav: 'Platform',
  screens: {
    categories: 'Categories',
    imports: 'Imports',
    moderation: 'Moderation',
    people: 'People',
    clients: 'OAuth clients',
    health: 'Health',
  },
  forAdministrators: 'This screen is for the administrators of the platform.',
  forAdministratorsHelp: 'The operator of this instance says who they are, with PLATFORM_ADMINS.',
};
