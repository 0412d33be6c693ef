import type { EntityManager } from 'typeorm';
import { newId } from '../../../database/id';
import { prepared } from '../../../database/prepared';
import { type AnyDomainEvent, eventRows } from '../../../events/outbox';
import { recordGiven } from '../../../events/outbox.sql';
import type { Cause } from '../../../organisations/audit/audit-trail';
import { resolveEntry, type Resolution, type ScimSettings } from '../resolution/role-resolution';

/** Someone whose account was created for a new entry: in no group, without a membership, and nobody has to agree. */
export interface Newcomer {
  userId: string;
  active: boolean;
  cause: Cause;
  /** The request that caused it has this value (`causingTrace()`). */
  traceparent: string | null;
}

/** $1 organisation, $2 events from `eventRows()`, $3 the memberships and their audit entries. Reads no table. */
const ADMIT = {
  name: 'roles of newcomers',
  sql: `
  WITH recorded AS (${recordGiven('$2')}
  ),
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS rows (
      id uuid, user_id uuid, role organisation_role, after jsonb, reason text, details jsonb,
      actor_type text, actor_id uuid, request_id text)
  ),
  admitted AS (
    INSERT INTO memberships (org_id, user_id, scim_role, role) SELECT $1, user_id, role, role FROM given
  )
  INSERT INTO audit_log (id, org_id, action, actor_type, actor_id, subject_type, subject_id, after, reason, details,
                         request_id)
  SELECT id, $1, 'member.added', actor_type, actor_id, 'member', user_id, after, reason, details, request_id FROM given`,
};

/** @returns what `resolveEntry` decides about a newcomer */
function resolveNewcomer({ active }: Pick<Newcomer, 'active'>, settings: ScimSettings): Resolution {
  return resolveEntry({ active, deleted: false, consent: 'NOT_NEEDED', groupIds: [] }, [], settings);
}

/**
 * Role resolution for newcomers, whose roles follow from the settings alone: in one statement that looks nobody up. The
 * default role is never OWNER, so an OWNER who is retained because there is no other stays retained.
 *
 * @param manager of a transaction that holds the organisation's lock and inserts their entries
 * @param events of the change, which precede those of the roles
 */
export async function admitNewcomers(
  manager: EntityManager,
  orgId: string,
  newcomers: readonly Newcomer[],
  settings: ScimSettings,
  events: readonly AnyDomainEvent[],
): Promise<void> {
  const admitted = newcomers.flatMap((newcomer) => {
    const { scimRole: role, reason } = resolveNewcomer(newcomer, settings);
    return role === null ? [] : [{ ...newcomer, role, reason }];
  });
  const joined = admitted.map(({ userId, role, reason, traceparent }): AnyDomainEvent => ({
    type: 'member.added',
    orgId,
    data: { org_id: orgId, user_id: userId, role, role_before: null, reason },
    traceparent,
  }));
  const rows = admitted.map(({ userId, role, reason, cause }) => ({
    id: newId(),
    user_id: userId,
    role,
    after: { role, manual_role: null, scim_role: role, suspended: false, retained_last_owner: false },
    reason,
    details: { change: 'joined', mapping_id: null, group_id: null, run_id: null },
    actor_type: cause.actorType,
    actor_id: cause.actorId,
    request_id: cause.requestId,
  }));
  await prepared(manager, ADMIT, [orgId, eventRows([...events, ...joined]), JSON.stringify(rows)]);
}
