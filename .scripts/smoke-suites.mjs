const SUITES = [
  'auth/auth',
  'bundles/bundles',
  'bundles/bundle-versions',
  'catalog/listings',
  'catalog/registry',
  'deletion/account-deletion',
  'invitations/invitations',
  'organisations/members',
  'organisations/organisations',
  'scim/scim-groups',
  'scim/scim-sync',
  'scim/scim-users',
  'webhooks/webhook-delivery',
  'webhooks/webhook-endpoints',
];

/** A pattern of test files: an e2e suite of each noun. The previous release has them all, too. */
export const SMOKE = `test/(${SUITES.join('|')})\\.e2e-spec`;
