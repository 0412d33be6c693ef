/** What is read again after roles followed a mapping, a setting or a sync: the own role is in `users/me`. */
export const ROLE_READS = [
  'GET /v1/organisations/{org_id}/scim/role-mappings',
  'GET /v1/organisations/{org_id}/scim/directory/groups',
  'GET /v1/organisations/{org_id}/members',
  'GET /v1/organisations/{org_id}/members/{user_id}/role-explanation',
  'GET /v1/users/me',
] as const;
