/**
 * Role resolution for a whole organisation in one statement: `resolveOrganisation` of `role-resolution.ts`, set-based.
 *
 * $1 organisation, $2 default role or null, $3 whether mappings to OWNER count.
 *
 * Gives `outcome`, one row per person: what the membership was (`is_member`, `manual_role`, `role_before`), what it
 * shall be (`scim_role`, `suspended`, `retained`, `role`), and the kind of `change` with its `reason`.
 */
const OUTCOME = `
  entry AS (
    -- Somebody who was deleted and provisioned again has several entries; the living one counts.
    SELECT DISTINCT ON (user_id) id, user_id, active, deleted_at IS NOT NULL AS deleted
    FROM scim_users WHERE org_id = $1
    ORDER BY user_id, deleted_at DESC NULLS FIRST
  ),
  mapping AS (
    SELECT id, group_id, role FROM scim_role_mappings WHERE org_id = $1 AND (role <> 'OWNER' OR $3)
  ),
  mapped AS (
    SELECT DISTINCT ON (scim_user_id) scim_user_id, role, mapping.id AS mapping_id, group_id
    FROM scim_group_members JOIN mapping USING (group_id)
    WHERE group_id = ANY (ARRAY(SELECT group_id FROM mapping))
    ORDER BY scim_user_id, role DESC, mapping.id
  ),
  resolved AS (
    SELECT COALESCE(entry.user_id, member.user_id) AS user_id, member.user_id IS NOT NULL AS is_member,
           member.manual_role, member.scim_role AS scim_role_before, member.suspended AS suspended_before,
           member.retained_last_owner AS retained_before, member.role AS role_before, member.created_at,
           CASE WHEN entry.active AND NOT entry.deleted THEN COALESCE(mapped.role, $2::organisation_role) END AS scim_role,
           COALESCE(entry.deleted OR NOT entry.active, false) AS suspended,
           mapped.mapping_id, mapped.group_id,
           CASE WHEN entry.id IS NULL THEN 'not_in_directory'
                WHEN entry.deleted THEN 'deleted'
                WHEN NOT entry.active THEN 'deactivated'
                WHEN mapped.role IS NOT NULL THEN 'mapping'
                WHEN $2::organisation_role IS NOT NULL THEN 'default_role'
                ELSE 'no_default_role' END AS reason
    FROM entry
    FULL JOIN (SELECT * FROM memberships WHERE org_id = $1) AS member ON member.user_id = entry.user_id
    LEFT JOIN mapped ON mapped.scim_user_id = entry.id
    -- Left alone: members whom the directory never knew, and tombstones that nothing follows from any more.
    WHERE (entry.id IS NOT NULL AND NOT (entry.deleted AND member.user_id IS NULL))
       OR member.scim_role IS NOT NULL OR member.suspended OR member.retained_last_owner
  ),
  intended AS (
    SELECT *, CASE WHEN NOT suspended THEN GREATEST(manual_role, scim_role) END AS intended_role FROM resolved
  ),
  keeper AS (
    SELECT user_id FROM intended
    WHERE role_before = 'OWNER'
      AND NOT EXISTS (SELECT 1 FROM intended WHERE intended_role = 'OWNER')
      AND NOT EXISTS (SELECT 1 FROM memberships WHERE org_id = $1 AND role = 'OWNER'
                        AND user_id NOT IN (SELECT user_id FROM intended WHERE role_before = 'OWNER'))
    ORDER BY suspended, created_at, user_id LIMIT 1
  ),
  decided AS (
    SELECT intended.*, keeper.user_id IS NOT NULL AS retained,
           CASE WHEN keeper.user_id IS NOT NULL THEN 'OWNER' ELSE intended_role END AS role
    FROM intended LEFT JOIN keeper USING (user_id)
  ),
  outcome AS MATERIALIZED (
    SELECT user_id, is_member, manual_role, scim_role_before, suspended_before, retained_before, role_before,
           scim_role, suspended, retained, role,
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

/**
 * To be run before `SYNC`; ends with the transaction. Sorts and hashes of a large directory belong in memory. Nested
 * loops are what the planner likes while it believes that the organisation has a handful of members, as it does from
 * the day on which a directory of 100,000 arrives until the next ANALYZE, and they take the square of the time. The
 * statement needs none: each table is read by organisation or by group, and all joins are hashed.
 */
export const PLAN = `SELECT set_config('work_mem', '64MB', true), set_config('enable_nestloop', 'off', true)`;

/**
 * Brings every membership to its outcome and writes the run, its changes and the events of the members.
 *
 * $1–$3 as above, $4 run id, $5 who started it, $6 when. Returns the counts and whether an OWNER was retained. Rows
 * that are right already are not written.
 */
export const SYNC = `
  WITH ${OUTCOME},
  inserted AS (
    INSERT INTO memberships (org_id, user_id, scim_role, role)
    SELECT $1, user_id, scim_role, role FROM outcome WHERE NOT is_member AND scim_role IS NOT NULL
  ),
  updated AS (
    UPDATE memberships
    SET scim_role = outcome.scim_role, suspended = outcome.suspended, retained_last_owner = outcome.retained,
        role = outcome.role, updated_at = now()
    FROM outcome
    WHERE memberships.org_id = $1 AND memberships.user_id = outcome.user_id AND outcome.is_member
      AND (outcome.manual_role IS NOT NULL OR outcome.scim_role IS NOT NULL OR outcome.retained)
      AND (outcome.scim_role_before, outcome.suspended_before, outcome.retained_before)
          IS DISTINCT FROM (outcome.scim_role, outcome.suspended, outcome.retained)
  ),
  deleted AS (
    DELETE FROM memberships USING outcome
    WHERE memberships.org_id = $1 AND memberships.user_id = outcome.user_id AND outcome.is_member
      AND outcome.manual_role IS NULL AND outcome.scim_role IS NULL AND NOT outcome.retained
  ),
  changes AS (
    INSERT INTO scim_sync_changes (run_id, user_id, change, role_before, role_after, reason, mapping_id, group_id)
    SELECT $4::uuid, user_id, change, role_before, role, reason, mapping_id, group_id
    FROM outcome WHERE change <> 'unchanged'
  ),
  told AS (
    INSERT INTO events (id, type, org_id, data)
    SELECT uuid_v7(),
           CASE change WHEN 'joined' THEN 'member.added' WHEN 'removed' THEN 'member.removed' ELSE 'member.role_changed' END,
           $1,
           jsonb_build_object('org_id', $1, 'user_id', user_id, 'role', role, 'role_before', role_before, 'reason', reason)
    FROM outcome WHERE change <> 'unchanged'
  )
  INSERT INTO scim_sync_runs
    (id, org_id, started_by, started_at, finished_at, scanned, joined, promoted, demoted, removed, retained, unchanged)
  SELECT $4::uuid, $1, $5::uuid, $6::timestamptz, clock_timestamp(), count(*),
         count(*) FILTER (WHERE change = 'joined'), count(*) FILTER (WHERE change = 'promoted'),
         count(*) FILTER (WHERE change = 'demoted'), count(*) FILTER (WHERE change = 'removed'),
         count(*) FILTER (WHERE change = 'retained'), count(*) FILTER (WHERE change = 'unchanged')
  FROM outcome
  RETURNING scanned, joined, promoted, demoted, removed, retained, unchanged,
            EXISTS (SELECT 1 FROM outcome WHERE outcome.retained) AS keeps_last_owner`;
