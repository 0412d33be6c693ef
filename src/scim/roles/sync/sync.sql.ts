import { recordGiven, recordRows } from '../../../events/outbox.sql';
import { COUNTS, OUTCOME_FOR_EVERYBODY, OUTCOME_FOR_SOME, PLAN_AS_USUAL } from '../resolution/outcome.sql';

const ACTION = `
  CASE change WHEN 'joined' THEN 'member.added' WHEN 'removed' THEN 'member.removed' ELSE 'member.role_changed' END`;

/** The columns of the audit entry except for the person. */
const KIND = `
  is_member, manual_role, role_before, scim_role_before, suspended_before, retained_before,
  is_kept, role, scim_role, suspended, retained, change, reason, mapping_id, group_id`;

/**
 * Updates every membership to its `outcome`, and writes the events, the audit log and the changes of a run. Rows that
 * are up to date are not written.
 *
 * $1–$3 as in `outcome.sql.ts`, $4 kind and $5 id of the actor, $6 request id, $7 run id or null. Returns the counts,
 * and how many of the users had a role before.
 *
 * @param writes of the memberships
 * @param traceparent the parameter with `causingTrace()`
 */
function applySql(outcome: string, writes: string, traceparent: '$8' | '$10'): string {
  return `
  WITH ${outcome},
  ${writes},
  changed AS (
    INSERT INTO scim_sync_changes (run_id, user_id, change, role_before, role_after, reason, mapping_id, group_id)
    SELECT $7::uuid, user_id, change, role_before, role, reason, mapping_id, group_id
    FROM outcome WHERE change <> 'unchanged' AND $7::uuid IS NOT NULL
  ),
  -- Many people, few kinds of change: made for each person, these documents would take a quarter of the time of a sync.
  kinds AS MATERIALIZED (
    SELECT row_number() OVER () AS kind, array_agg(user_id) AS user_ids, ${ACTION} AS action, reason,
           change <> 'unchanged' AS is_changed,
           jsonb_build_object('org_id', $1, 'role', role, 'role_before', role_before, 'reason', reason) AS data,
           CASE WHEN is_member THEN
             jsonb_build_object('role', role_before, 'manual_role', manual_role, 'scim_role', scim_role_before,
                                'suspended', suspended_before, 'retained_last_owner', retained_before) END AS before,
           CASE WHEN is_kept THEN
             jsonb_build_object('role', role, 'manual_role', manual_role, 'scim_role', scim_role,
                                'suspended', suspended, 'retained_last_owner', retained) END AS after,
           jsonb_build_object('change', change, 'mapping_id', mapping_id, 'group_id', group_id, 'run_id', $7::uuid)
             AS details
    FROM outcome WHERE is_written GROUP BY ${KIND}
  ),
  -- One id for the event and the entry of the audit log: to make another takes a twentieth of the time.
  people AS MATERIALIZED (
    SELECT uuid_v7() AS id, kind, user_id FROM (SELECT kind, unnest(user_ids) AS user_id FROM kinds) AS person
  ),
  recorded AS (
    ${recordRows({
      id: 'id',
      type: 'action',
      orgId: '$1',
      data: `data || jsonb_build_object('user_id', user_id)`,
      trace: traceparent,
      from: 'people JOIN kinds USING (kind) WHERE is_changed',
    })}
  ),
  audited AS (
    INSERT INTO audit_log
      (id, org_id, action, actor_type, actor_id, subject_type, subject_id, before, after, reason, details, request_id)
    SELECT id, $1, action, $4, $5::uuid, 'member', user_id, before, after, reason, details, $6
    FROM people JOIN kinds USING (kind)
  )
  SELECT ${COUNTS}, count(role_before)::int AS members_before, ${PLAN_AS_USUAL} FROM outcome`;
}

/** For the whole organisation. Run after `PLAN_FOR_EVERYBODY`. */
export const APPLY_TO_EVERYBODY = applySql(
  OUTCOME_FOR_EVERYBODY,
  `
  inserted AS (
    INSERT INTO memberships (org_id, user_id, scim_role, role)
    SELECT $1, user_id, scim_role, role FROM outcome WHERE is_written AND NOT is_member
  ),
  updated AS (
    UPDATE memberships
    SET scim_role = outcome.scim_role, suspended = outcome.suspended, retained_last_owner = outcome.retained,
        role = outcome.role, updated_at = now()
    FROM outcome
    WHERE memberships.org_id = $1 AND memberships.user_id = outcome.user_id
      AND outcome.is_written AND outcome.is_member AND outcome.is_kept
  ),
  deleted AS (
    DELETE FROM memberships USING outcome
    WHERE memberships.org_id = $1 AND memberships.user_id = outcome.user_id
      AND outcome.is_written AND NOT outcome.is_kept
  )`,
  '$8',
);

/**
 * For the users concerned: `$8`, account ids. Run after `PLAN_FOR_SOME`. The same writes without joins, for which the
 * planner might read the whole organisation. `$9`: the events of the change that is the reason, from `eventRows()`. `$10`: `causingTrace()`.
 */
export const APPLY_TO_SOME = applySql(
  OUTCOME_FOR_SOME,
  `
  reasons AS (${recordGiven('$9')}
  ),
  written AS (
    INSERT INTO memberships (org_id, user_id, manual_role, scim_role, suspended, retained_last_owner, role)
    SELECT $1, user_id, manual_role, scim_role, suspended, retained, role FROM outcome WHERE is_written AND is_kept
    ON CONFLICT ON CONSTRAINT memberships_pkey DO UPDATE
    SET scim_role = excluded.scim_role, suspended = excluded.suspended,
        retained_last_owner = excluded.retained_last_owner, role = excluded.role, updated_at = now()
  ),
  deleted AS (
    DELETE FROM memberships
    WHERE org_id = $1 AND user_id = ANY (ARRAY(SELECT user_id FROM outcome WHERE is_written AND NOT is_kept))
  )`,
  '$10',
);

/** $1 organisation. */
export const COUNT_MEMBERS = `SELECT count(*)::int AS members FROM memberships WHERE org_id = $1 AND role IS NOT NULL`;
