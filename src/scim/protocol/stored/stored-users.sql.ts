import { recordRows } from '../../../events/outbox.sql';
import { agreementTo } from '../../directory/directory-consent';
import { IS_OWN } from '../tenancy';

export const USER_COLUMNS = `
  scim_users.id, scim_users.user_id AS "userId", scim_users.user_name AS "userName",
  scim_users.external_id AS "externalId", scim_users.display_name AS "displayName", scim_users.active,
  scim_users.attributes, scim_users.version, scim_users.created_at AS "createdAt", scim_users.updated_at AS "updatedAt"`;

/** $1 organisation, $2 id. */
export const FIND_USER = `
  SELECT ${USER_COLUMNS},
         CASE WHEN users.closed_at IS NOT NULL THEN 'closed'
              WHEN users.claimed_at IS NOT NULL THEN 'claimed' ELSE 'waiting' END AS state,
         users.email IS NOT NULL AS "hasAddress", scim_users.account_note AS "accountNote",
         ${agreementTo('scim_users')} AS "isAgreedTo"
  FROM scim_users JOIN users ON users.id = scim_users.user_id
  WHERE scim_users.id = $2 AND ${IS_OWN} AND scim_users.deleted_at IS NULL`;

/** The same for a transaction that holds the directory's lock. */
export const FIND_USER_TO_CHANGE = { name: 'user to change', sql: FIND_USER };

/** Bytes of attributes on one page: this much of a list is held in memory. Most users have two thousand. */
const MAX_BYTES_OF_A_PAGE = 16_777_216;

/** $1 organisation, $2 ids in the order of a page. Returns rows up to the byte limit, at least one. */
export const FIND_USERS = `
  SELECT found.*
  FROM (
    SELECT wanted.id, sum(size) OVER (ORDER BY place) - size AS bytes_before
    FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, place)
    CROSS JOIN LATERAL (
      SELECT octet_length(attributes::text) AS size FROM scim_users WHERE id = wanted.id AND ${IS_OWN} LIMIT 1
    ) AS measured
  ) AS page
  CROSS JOIN LATERAL (
    SELECT ${USER_COLUMNS} FROM scim_users
    WHERE scim_users.id = page.id AND ${IS_OWN} AND scim_users.deleted_at IS NULL LIMIT 1
  ) AS found
  WHERE page.bytes_before < ${MAX_BYTES_OF_A_PAGE}`;

/** $10 the account if it needs no consent: it was created for the entry. */
export const INSERT_USER = {
  name: 'insert a user',
  sql: `
  INSERT INTO scim_users (org_id, id, user_id, account_note, user_name, external_id, display_name, active, attributes,
                          consent_user_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  RETURNING ${USER_COLUMNS}`,
};

/**
 * $1 organisation, $2 users as JSON. In order, so that of two conflicting users the first is inserted; a user that
 * conflicts with an existing entry is not.
 */
export const INSERT_USERS = {
  name: 'insert users',
  sql: `
  INSERT INTO scim_users (org_id, id, user_id, account_note, user_name, external_id, display_name, active, attributes,
                          consent_user_id)
  SELECT $1, id, user_id, account_note, user_name, external_id, display_name, active, attributes, consent_user_id
  FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (id uuid, user_id uuid, account_note text, user_name text,
                  external_id text, display_name text, active boolean, attributes jsonb, consent_user_id uuid))
       WITH ORDINALITY
  ORDER BY ordinality
  ON CONFLICT DO NOTHING
  RETURNING ${USER_COLUMNS}`,
};

/** The clock's time: of two transactions, the one that began later may have acquired the organisation's lock first. */
export const UPDATE_USER = {
  name: 'change a user',
  sql: `
  UPDATE scim_users
  SET user_id = $3, account_note = $4, user_name = $5, external_id = $6, display_name = $7, active = $8,
      attributes = $9,
      version = version + 1, updated_at = clock_timestamp(),
      is_twin = is_twin AND username_key(user_name) = username_key($5)
  WHERE id = $2 AND ${IS_OWN} AND deleted_at IS NULL
  RETURNING ${USER_COLUMNS}`,
};

/** Not a change of the SCIM resource, which does not contain the note: the version stays. */
export const UPDATE_ACCOUNT_NOTE = `
  UPDATE scim_users SET account_note = $3 WHERE id = $2 AND ${IS_OWN} AND deleted_at IS NULL`;

/**
 * $1 organisation, $2 user, $3 `causingTrace()`. The entry is kept, to keep blocking access; the user leaves all groups, which get new
 * versions and emit events: in one statement, however many there are.
 */
export const DELETE_USER_AND_PUBLISH_GROUP_CHANGES = `
  WITH deleted AS (
    UPDATE scim_users SET deleted_at = clock_timestamp(), updated_at = clock_timestamp(), version = version + 1
    WHERE id = $2 AND ${IS_OWN} AND deleted_at IS NULL
  ),
  left_groups AS (
    DELETE FROM scim_group_members WHERE scim_user_id = $2 RETURNING group_id
  ),
  changed AS (
    UPDATE scim_groups SET version = version + 1, updated_at = clock_timestamp()
    FROM left_groups WHERE scim_groups.id = left_groups.group_id AND ${IS_OWN}
    RETURNING scim_groups.id, display_name
  )
  ${recordRows({
    type: "'scim.group_changed'",
    orgId: '$1',
    data: `jsonb_build_object('org_id', $1::uuid, 'group_id', id, 'display_name', display_name, 'change', 'updated',
                              'changed', '["members"]'::jsonb, 'members_added', 0, 'members_removed', 1)`,
    trace: '$3',
    from: 'changed',
  })}`;

/** $1 organisation, $2 users. */
export const GROUPS_OF_USERS = `
  SELECT scim_group_members.scim_user_id AS "userId", joined.id, joined.display_name AS "displayName"
  FROM scim_group_members
  CROSS JOIN LATERAL (
    SELECT id, display_name FROM scim_groups WHERE id = scim_group_members.group_id AND ${IS_OWN} LIMIT 1
  ) AS joined
  WHERE scim_group_members.scim_user_id = ANY ($2::uuid[])
  ORDER BY joined.id`;
