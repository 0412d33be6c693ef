import { canSignIn } from '../../../organisations/can-sign-in.sql';
import { personName } from '../../../organisations/person-name.sql';
import { agreementTo, consentTo } from '../../directory/directory-consent';
import { DIRECTORY_EMAIL } from '../../directory/directory-users.sql';
import { NEWEST_ENTRY } from '../../directory/newest-entry.sql';

/**
 * Everything that explains the role of one person in an organisation ($1), in one statement and therefore one snapshot.
 * $2 is their account or one of their directory users. No row for someone who is neither a member nor in the directory;
 * nor for the account of someone who has not agreed to the membership, since that would reveal whose account it is.
 */
export const FACTS = `
  WITH asked AS (
    SELECT user_id FROM scim_users WHERE org_id = $1 AND id = $2
  )
  SELECT users.id AS user_id, member.user_id IS NOT NULL OR entry.is_agreed_to AS is_known,
         -- The account's own name and address are for organisations that the person has joined.
         CASE WHEN member.user_id IS NOT NULL THEN users.email ELSE entry.email END AS email,
         CASE WHEN member.user_id IS NOT NULL THEN ${personName()} ELSE entry.display_name END AS name,
         users.claimed_at IS NOT NULL AS is_claimed, users.closed_at IS NOT NULL AS is_closed,
         member.user_id IS NOT NULL AS is_member, member.role, member.manual_role, member.scim_role, member.suspended,
         member.retained_last_owner, member.created_at AS member_since,
         entry.id AS scim_user_id, entry.user_name, entry.active, entry.deleted_at, entry.consent,
         COALESCE(mapped.groups, '[]') AS groups, last_role_change.id AS last_role_change_id
  FROM users
  LEFT JOIN memberships AS member ON member.org_id = $1 AND member.user_id = users.id
  LEFT JOIN LATERAL (
    -- Somebody who was deleted and provisioned again has several entries; the living one counts.
    SELECT id, user_name, display_name, active, deleted_at, ${consentTo('scim_users')} AS consent,
           ${agreementTo('scim_users')} AS is_agreed_to, ${DIRECTORY_EMAIL} AS email
    FROM scim_users
    WHERE org_id = $1 AND user_id = users.id
    ${NEWEST_ENTRY}
  ) AS entry ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object(
             'mappingId', mapping.id, 'groupId', mapping.group_id, 'groupName', scim_groups.display_name,
             'role', mapping.role, 'mappedSince', mapping.updated_at, 'memberSince', scim_group_members.created_at,
             'heir', (SELECT json_build_object('mappingId', waiting.id, 'role', waiting.role)
                      FROM scim_role_mappings AS waiting
                      WHERE waiting.org_id = $1 AND waiting.group_id IS NULL
                        AND lower(waiting.group_name) = lower(scim_groups.display_name)
                      ORDER BY waiting.created_at, waiting.id LIMIT 1)
           )) AS groups
    FROM scim_group_members
    JOIN scim_role_mappings AS mapping ON mapping.group_id = scim_group_members.group_id
    JOIN scim_groups ON scim_groups.id = mapping.group_id
    WHERE scim_group_members.scim_user_id = entry.id AND mapping.org_id = $1
  ) AS mapped ON true
  LEFT JOIN LATERAL (
    -- The last time that another role came into force.
    SELECT id FROM audit_log
    WHERE org_id = $1 AND subject_id = users.id AND subject_type = 'member'
      AND action IN ('member.added', 'member.role_changed', 'member.removed')
      AND before ->> 'role' IS DISTINCT FROM after ->> 'role'
    ORDER BY id DESC LIMIT 1
  ) AS last_role_change ON true
  WHERE users.id = COALESCE((SELECT user_id FROM asked), $2)
    AND (member.user_id IS NOT NULL OR entry.is_agreed_to OR EXISTS (SELECT FROM asked))`;

/** All current OWNERs of an organisation ($1), with their directory entries. */
export const OWNERS = `
  SELECT member.user_id AS "userId", member.manual_role AS "manualRole", member.scim_role AS "scimRole",
         member.suspended, member.retained_last_owner AS "retainedLastOwner", member.created_at AS "createdAt",
         ${canSignIn('member.user_id')} AS "canSignIn",
         entry.active, entry.deleted_at IS NOT NULL AS deleted, entry.consent,
         ARRAY(SELECT group_id::text FROM scim_group_members JOIN scim_role_mappings USING (group_id)
               WHERE scim_user_id = entry.id) AS "groupIds"
  FROM memberships AS member
  LEFT JOIN LATERAL (
    SELECT id, active, deleted_at, ${consentTo('scim_users')} AS consent FROM scim_users
    WHERE org_id = $1 AND user_id = member.user_id
    ${NEWEST_ENTRY}
  ) AS entry ON true
  WHERE member.org_id = $1 AND member.role = 'OWNER'`;
