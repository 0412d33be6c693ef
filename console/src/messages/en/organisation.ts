/** What is around the screens of an organisation. */
export const organisation = {
  nav: 'Organisation',
  choose: 'Organisation',
  screens: {
    members: 'Members',
    provisioning: 'Provisioning',
    roles: 'Roles',
    allowList: 'Allow list',
    webhooks: 'Webhooks',
    auditLog: 'Audit log',
  },
  forAdministrators: 'This screen is for the administrators and owners of the organisation.',
  forAdministratorsHelp: 'Ask one of them; the list of members says who they are.',
  toMembers: 'Show the members',
  notYours: 'You do not belong to this organisation',
  notYoursHelp: 'Check the address, or ask an administrator of the organisation to invite you.',
};
