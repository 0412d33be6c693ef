import { canSignIn } from '../../../organisations/can-sign-in.sql';
import { consentTo } from '../../directory/directory-consent';
import { NEWEST_ENTRY } from '../../directory/newest-entry.sql';
import { hasAgreedSql } from '../../directory/consent';

/*
 * Role resolution in SQL: `resolveOrganisation` of `role-resolution.ts`, set-based. The same text is used over two
 * sources, which are the only difference between its uses: `entry` (a person's directory entry, and the best mapping)
 * and `member` (the existing membership).
 *
 * `$1` organisation, `$2` default role or null, `$3` whether mappings to OWNER are allowed.
 */

const STORED_MAPPINGS = `
  SELECT id, group_id, role FROM scim_role_mappings WHERE org_id = $1 AND (role <> 'OWNER' OR $3)`;

/**
 * For all users each table is read once, by organisation or by group, and all joins are hashed; see
 * `PLAN_FOR_EVERYBODY`.
 */
function everybody(mappings: string): string {
  return `
  mapping AS (${mappings}
  ),
  mapped AS (
    SELECT DISTINCT ON (scim_user_id) scim_user_id, role, mapping.id AS mapping_id, group_id
    FROM scim_group_members JOIN mapping USING (group_id)
    WHERE group_id = ANY (ARRAY(SELECT group_id FROM mapping))
    ORDER BY scim_user_id, role DESC, mapping.id
  ),
  entry AS (
    -- Somebody who was deleted and provisioned again has several entries; the living one counts.
    SELECT found.*, mapped.role AS mapped_role, mapping_id, group_id
    FROM (
      SELECT DISTINCT ON (user_id) id, user_id, active, deleted_at IS NOT NULL AS deleted,
             ${consentTo('scim_users')} AS consent
      FROM scim_users WHERE org_id = $1
      ORDER BY user_id, deleted_at DESC NULLS FIRST) AS found
    LEFT JOIN mapped ON mapped.scim_user_id = found.id
  ),
  member AS (
    SELECT * FROM memberships WHERE org_id = $1
  )`;
}

/**
 * For some users, each is looked up by index, which the limits force whatever the planner believes about the tables. So
 * the cost does not depend on the size of the organisation or its groups. A retained OWNER is always included: the
 * retention ends when another user becomes OWNER. The subquery around the ids hides their number from the planner,
 * which would otherwise plan each execution again for a number that makes no difference.
 *
 * @param accounts the parameter that holds their account ids
 */
function concerned(accounts: string): string {
  return `
  concerned AS (
    SELECT unnest((SELECT ${accounts}::uuid[])) AS user_id
    UNION SELECT user_id FROM memberships WHERE org_id = $1 AND retained_last_owner
  ),
  entry AS (
    SELECT found.*, best.* FROM concerned CROSS JOIN LATERAL (
      SELECT id, user_id, active, deleted_at IS NOT NULL AS deleted, ${consentTo('scim_users')} AS consent
      FROM scim_users WHERE org_id = $1 AND user_id = concerned.user_id
      ${NEWEST_ENTRY}) AS found
    LEFT JOIN LATERAL (
      SELECT role AS mapped_role, mapping.id AS mapping_id, group_id
      FROM scim_group_members JOIN (${STORED_MAPPINGS}) AS mapping USING (group_id)
      WHERE scim_user_id = found.id
      ORDER BY role DESC, mapping.id LIMIT 1) AS best ON true
  ),
  member AS (
    SELECT found.* FROM concerned CROSS JOIN LATERAL (
      SELECT * FROM memberships WHERE org_id = $1 AND user_id = concerned.user_id LIMIT 1) AS found
  )`;
}

/**
 * Produces `outcome`, one row per person: the previous membership (`is_member`, `manual_role`, `role_before`, …), the
 * new one (`scim_role`, `suspended`, `retained`, `role`; `is_kept`: whether there is one), whether it differs
 * (`is_written`), and the kind of `change` of the effective role with its `reason`.
 */
function outcome(sources: string): string {
  return `
  ${sources},
  resolved AS (
    SELECT COALESCE(entry.user_id, member.user_id) AS user_id, member.user_id IS NOT NULL AS is_member,
           member.manual_role, member.scim_role AS scim_role_before, member.suspended AS suspended_before,
           member.retained_last_owner AS retained_before, member.role AS role_before, member.created_at,
           CASE WHEN entry.active AND NOT entry.deleted AND ${hasAgreedSql('entry.consent')}
                THEN COALESCE(entry.mapped_role, $2::organisation_role) END AS scim_role,
           COALESCE(entry.deleted OR NOT entry.active, false) AS suspended,
           entry.mapping_id, entry.group_id,
           CASE WHEN entry.id IS NULL THEN 'not_in_directory'
                WHEN entry.deleted THEN 'deleted'
                WHEN NOT entry.active THEN 'deactivated'
                WHEN entry.consent = 'PENDING' THEN 'pending'
                WHEN entry.consent = 'OPTED_OUT' THEN 'opted_out'
                WHEN entry.mapped_role IS NOT NULL THEN 'mapping'
                WHEN $2::organisation_role IS NOT NULL THEN 'default_role'
                ELSE 'no_default_role' END AS reason
    FROM entry
    FULL JOIN member ON member.user_id = entry.user_id
    -- Left alone: members that the directory never knew, and tombstones that nothing follows from any more.
    WHERE (entry.id IS NOT NULL AND NOT (entry.deleted AND member.user_id IS NULL))
       OR member.scim_role IS NOT NULL OR member.suspended OR member.retained_last_owner
  ),
  intended AS (
    SELECT *, CASE WHEN NOT suspended THEN GREATEST(manual_role, scim_role) END AS intended_role FROM resolved
  ),
  -- The OWNER who is retained: one who can sign in, if nobody who can sign in would be OWNER otherwise, neither among
  -- the users processed nor among the other members. An active user is preferred to a suspended one, then the oldest
  -- membership. Without an OWNER before there is nobody to retain.
  keeper AS (
    SELECT user_id FROM intended
    WHERE role_before = 'OWNER' AND ${canSignIn('user_id')}
      AND EXISTS (SELECT 1 FROM intended WHERE role_before = 'OWNER')
      AND NOT EXISTS (SELECT 1 FROM intended WHERE intended_role = 'OWNER' AND ${canSignIn('user_id')})
      AND NOT EXISTS (SELECT 1 FROM memberships WHERE org_id = $1 AND role = 'OWNER'
                        AND user_id NOT IN (SELECT user_id FROM intended WHERE role_before = 'OWNER')
                        AND ${canSignIn('user_id')})
    ORDER BY suspended, created_at, user_id LIMIT 1
  ),
  decided AS (
    SELECT intended.*, keeper.user_id IS NOT NULL AS retained,
           manual_role IS NOT NULL OR scim_role IS NOT NULL OR keeper.user_id IS NOT NULL AS is_kept,
           CASE WHEN keeper.user_id IS NOT NULL THEN 'OWNER' ELSE intended_role END AS role
    FROM intended LEFT JOIN keeper USING (user_id)
  ),
  outcome AS MATERIALIZED (
    SELECT user_id, is_member, manual_role, scim_role_before, suspended_before, retained_before, role_before,
           scim_role, suspended, retained, role, is_kept,
           CASE WHEN is_member THEN NOT is_kept OR (scim_role_before, suspended_before, retained_before)
                                                   IS DISTINCT FROM (scim_role, suspended, retained)
                ELSE is_kept END AS is_written,
           CASE WHEN retained THEN 'last_owner' ELSE reason END AS reason,
           CASE WHEN reason = 'mapping' AND NOT retained THEN mapping_id END AS mapping_id,
           CASE WHEN reason = 'mapping' AND NOT retained THEN group_id END AS group_id,
           CASE WHEN role_before IS NULL AND role IS NOT NULL THEN 'joined'
                WHEN role_before IS NOT NULL AND role IS NULL THEN 'removed'
                WHEN role > role_before THEN 'promoted'
                WHEN role < role_before THEN 'demoted'
                WHEN retained AND NOT retained_before THEN 'retained'
                ELSE 'unchanged' END AS change
    FROM decided
  )`;
}

/** The whole organisation. Run after `PLAN_FOR_EVERYBODY`. */
export const OUTCOME_FOR_EVERYBODY = outcome(everybody(STORED_MAPPINGS));

/**
 * The whole organisation with the mappings `$4`, a JSON list of `id`, `group_id` and `role`, instead of the stored
 * ones.
 */
export const OUTCOME_WITH_MAPPINGS = outcome(
  everybody(`
    SELECT id, group_id, role
    FROM jsonb_to_recordset($4::jsonb) AS given (id uuid, group_id uuid, role organisation_role)
    WHERE role <> 'OWNER' OR $3`),
);

/** The users concerned: `$8`, account ids. Run after `PLAN_FOR_SOME`. */
export const OUTCOME_FOR_SOME = outcomeFor('$8');

/** @param accounts the parameter that holds the account ids of the users concerned */
export function outcomeFor(accounts: string): string {
  return outcome(concerned(accounts));
}

/** The counts of `outcome`, and whether an OWNER is newly retained. */
export const COUNTS = `
  count(*)::int AS scanned,
  count(*) FILTER (WHERE change = 'joined')::int AS joined,
  count(*) FILTER (WHERE change = 'promoted')::int AS promoted,
  count(*) FILTER (WHERE change = 'demoted')::int AS demoted,
  count(*) FILTER (WHERE change = 'removed')::int AS removed,
  count(*) FILTER (WHERE change = 'retained')::int AS retained,
  count(*) FILTER (WHERE change = 'unchanged')::int AS unchanged,
  count(*) FILTER (WHERE retained AND NOT retained_before)::int > 0 AS retains_anew`;

/**
 * Run before a statement over the whole organisation. Sorts and hashes of a large directory belong in memory. The
 * planner prefers nested loops while it believes that the organisation has a handful of members, from the day when a
 * directory of 100,000 arrives until the next ANALYZE, and these take quadratic time. The statement needs none: each
 * table is read by organisation or by group, and all joins are hashed. The lock of a directory may have switched
 * sequential scans off.
 */
export const PLAN_FOR_EVERYBODY = `
  SELECT set_config('work_mem', '64MB', true), set_config('enable_nestloop', 'off', true),
         set_config('enable_seqscan', 'on', true)`;

/**
 * Run before a statement over the users concerned. Its plan is kept for the life of the connection, and one made while
 * the tables were nearly empty would read them whole.
 */
export const PLAN_FOR_SOME = `SELECT set_config('enable_seqscan', 'off', true)`;

/** Run before another statement over the whole organisation, in a transaction that may have switched this off. */
export const PLAN_WITH_SCANS = `SELECT set_config('enable_seqscan', 'on', true)`;

/** Resets both within the statement itself, for the rest of the transaction. */
export const PLAN_AS_USUAL = `set_config('enable_nestloop', 'on', true), set_config('enable_seqscan', 'on', true)`;

/** The same as a statement of its own. */
export const PLAN_AGAIN = `SELECT ${PLAN_AS_USUAL}`;
