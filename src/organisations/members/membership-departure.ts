import type { EntityManager } from 'typeorm';
import { execute, many } from '../../database/statements';
import { causingTrace } from '../../events/outbox';
import { recordRows } from '../../events/outbox.sql';
import { LastOwnerError } from '../organisation.errors';
import type { Cause } from '../audit/audit-trail';
import { canSignIn } from '../can-sign-in.sql';

/** Maximum number of organisations named in an error. */
const MAX_NAMED = 10;

/**
 * Locks every organisation that the user belongs to or whose directory contains them, in the order of ids.
 *
 * @returns the ids of these organisations
 */
export async function lockOrganisationsOf(manager: EntityManager, userId: string): Promise<string[]> {
  const rows = await many<{ id: string }>(
    manager,
    `SELECT id FROM organisations
     WHERE id IN (SELECT org_id FROM memberships WHERE user_id = $1 UNION SELECT org_id FROM scim_users WHERE user_id = $1)
     ORDER BY id FOR NO KEY UPDATE`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** @returns the ids of all organisations that the user belongs to or whose directory contains them */
export async function organisationsOf(manager: EntityManager, userId: string): Promise<string[]> {
  const rows = await many<{ id: string }>(
    manager,
    `SELECT org_id AS id FROM memberships WHERE user_id = $1 UNION SELECT org_id FROM scim_users WHERE user_id = $1
     ORDER BY id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** @returns organisations that would be left without an active OWNER, ten at most, by name */
export function ownedAlone(manager: EntityManager, userId: string): Promise<{ org_id: string; name: string }[]> {
  return many(
    manager,
    `SELECT organisations.id AS org_id, organisations.name FROM memberships JOIN organisations ON organisations.id = memberships.org_id
     WHERE memberships.user_id = $1 AND memberships.role = 'OWNER' AND organisations.deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM memberships AS other
                       WHERE other.org_id = memberships.org_id AND other.role = 'OWNER' AND other.user_id <> $1
                         AND ${canSignIn('other.user_id')})
     ORDER BY organisations.name LIMIT ${MAX_NAMED}`,
    [userId],
  );
}

/** @throws LastOwnerError naming the organisations that would be left without an active OWNER */
export async function requireOtherOwners(manager: EntityManager, userId: string): Promise<void> {
  const alone = await ownedAlone(manager, userId);
  if (alone.length > 0) throw new LastOwnerError(alone.map(({ name }) => name));
}

/** $1 account, $2 type and $3 id of the actor, $4 request, $5 `causingTrace()`. */
const REMOVE = `
  WITH gone AS (
    DELETE FROM memberships WHERE user_id = $1 RETURNING *, uuid_v7() AS change_id
  ),
  recorded AS (
    ${recordRows({
      id: 'change_id',
      type: "'member.removed'",
      orgId: 'org_id',
      data: `jsonb_build_object('org_id', org_id, 'user_id', user_id, 'role', NULL, 'role_before', role,
                                'reason', 'account_deleted')`,
      trace: '$5',
      from: 'gone WHERE role IS NOT NULL',
    })}
  )
  INSERT INTO audit_log (id, org_id, action, actor_type, actor_id, subject_type, subject_id, before, after, reason,
                         request_id)
  SELECT change_id, org_id, 'member.removed', $2, $3::uuid, 'member', user_id,
         jsonb_build_object('role', role, 'manual_role', manual_role, 'scim_role', scim_role, 'suspended', suspended,
                            'retained_last_owner', retained_last_owner),
         NULL, 'account_deleted', $4
  FROM gone`;

/** Ends all memberships of a user in one statement. Each removal is emitted and audited like any other. */
export async function removeMemberships(manager: EntityManager, cause: Cause, userId: string): Promise<void> {
  await execute(manager, REMOVE, [userId, cause.actorType, cause.actorId, cause.requestId, causingTrace()]);
}
