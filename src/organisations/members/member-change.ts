import type { EntityManager } from 'typeorm';
import { record } from '../../events/outbox';
import { audit, type Cause } from '../audit/audit-trail';
import type { Role } from './role';

/** The state of a membership: the effective role and where it comes from. */
export interface MemberImage {
  role: Role | null;
  manual_role: Role | null;
  scim_role: Role | null;
  suspended: boolean;
  retained_last_owner: boolean;
}

/** A change of a membership; `before` or `after` is null if it did not or does not exist. */
export interface MemberChange {
  orgId: string;
  userId: string;
  before: MemberImage | null;
  after: MemberImage | null;
  reason: 'manual' | 'created_organisation' | 'accepted_invitation' | 'opted_out' | 'released_last_owner';
  /** What caused it, for the audit log. */
  details?: object;
}

/**
 * Audits a change of a membership and emits an event if the effective role changed, in the transaction of the change.
 * `sync.sql.ts` does the same for changes by role resolution.
 *
 * @param manager of that transaction
 */
export async function recordMemberChange(manager: EntityManager, cause: Cause, change: MemberChange): Promise<void> {
  const { orgId, userId, reason, details } = change;
  const [before, after] = [imageOf(change.before), imageOf(change.after)];
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const [role_before, role] = [before?.role ?? null, after?.role ?? null];
  const member = { org_id: orgId, user_id: userId, reason };
  // Removing a membership without a role emits no event, because the user had no access before.
  let action: 'member.added' | 'member.removed' | 'member.role_changed' =
    after === null ? 'member.removed' : 'member.role_changed';
  if (role_before === null && role !== null) {
    action = 'member.added';
    await record(manager, { type: action, orgId, data: { ...member, role, role_before } });
  } else if (role_before !== null && role === null) {
    action = 'member.removed';
    await record(manager, { type: action, orgId, data: { ...member, role, role_before } });
  } else if (role_before !== null && role !== null && role_before !== role) {
    action = 'member.role_changed';
    await record(manager, { type: action, orgId, data: { ...member, role, role_before } });
  }
  const subject = { subjectType: 'member', subjectId: userId } as const;
  await audit(manager, { orgId, cause, action, ...subject, before, after, reason, details });
}

/** Drops any other columns of the row. */
function imageOf(row: MemberImage | null): MemberImage | null {
  return (
    row && {
      role: row.role,
      manual_role: row.manual_role,
      scim_role: row.scim_role,
      suspended: row.suspended,
      retained_last_owner: row.retained_last_owner,
    }
  );
}
