/** What is read again after a change of a member: their own role is in `users/me`. */
export const MEMBER_READS = [
  'GET /v1/organisations/{org_id}/members',
  'GET /v1/organisations/{org_id}/members/{user_id}/role-explanation',
  'GET /v1/users/me',
] as const;

/** The same for an invitation. */
export const INVITATION_READS = ['GET /v1/organisations/{org_id}/invitations'] as const;
