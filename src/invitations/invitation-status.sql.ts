export const INVITATION_STATUSES = ['PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED', 'EXPIRED'] as const;

export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/**
 * The status of a row of `invitations` at a given time. A pending invitation expires, and is revoked as soon as its
 * sender could no longer send it: otherwise an OWNER who is about to be removed could leave a way back in.
 *
 * @param now the parameter with the time
 */
export function statusAt(now: string): string {
  return `
    CASE WHEN invitations.status <> 'PENDING' THEN invitations.status
         WHEN invitations.expires_at <= ${now} THEN 'EXPIRED'
         WHEN NOT EXISTS (
           SELECT 1 FROM memberships AS inviter
           WHERE inviter.org_id = invitations.org_id AND inviter.user_id = invitations.invited_by
             AND inviter.role >= GREATEST('ADMIN', invitations.role)) THEN 'REVOKED'
         ELSE 'PENDING' END`;
}
