import type { EntityManager } from 'typeorm';
import { record } from '../../events/outbox';
import { audit, type Cause } from '../audit/audit-trail';
import type { Role } from './role';

/** A membership: the role in force, and what it comes from. */
export interface MemberImage {
  role: Role | null;
  manual_role: Role | null;
  scim_role: Role | null;
  suspended: boolean;
  retained_last_owner: boolean;
}

/** What became of a membership, and why; null where there was or is none. */
export interface MemberChange {
  orgId: string;
  userId: string;
  before: MemberImage | null;
  after: MemberImage | null;
  reason: 'manual' | 'created_organisation' | 'accepted_invitation' | 'opted_out' | 'released_last_owner';
  /** What led to it, for the audit log. */
  details?: object;
}

/**
 * Tells of a change of the role in force and audits every change, in its transaction. What role
 * resolution changes, `sync.sql.ts` tells and audits in the same way.
 *
 * @param manager of that transaction
 */
export async function recordMemberChange(manager: EntityManager, cause: Cause, change: MemberChange): Promise<void> {
  const { orgId, userId, reason, details } = change;
  const [before, after] = [imageOf(change.before), imageOf(change.after)];
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const [role_before, role] = [before?.role ?? null, after?.role ?? null];
  const member = { org_id: orgId, user_id: userId, reason };
  // A membership without a role that ends is no event: the person had no access before.
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

/** Of a row that may hold more. */
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
