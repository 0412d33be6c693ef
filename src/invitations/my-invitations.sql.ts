import { isColleagueOf } from '../organisations/members/acquaintance.sql';
import { statusAt } from './invitation-status.sql';

/**
 * What a user can still answer: $1 account, $2 their normalised address or null, $3 now, $4 the last id of the previous
 * page, $5 rows. Ids of both kinds are ordered by time.
 */
export const ANSWERABLE = `
  SELECT offer.*, organisations.name, organisations.slug
  FROM (
    (SELECT id, 'INVITATION' AS kind, org_id, role, status, expires_at, created_at
     FROM (
       SELECT id, org_id, role, ${statusAt('$3::timestamptz')} AS status, expires_at, created_at
       FROM invitations
       WHERE invitations.status = 'PENDING' AND (user_id = $1 OR address = $2) AND ($4::uuid IS NULL OR id < $4)
     ) AS invitation
     WHERE status = 'PENDING' ORDER BY id DESC LIMIT $5)
    UNION ALL
    (SELECT id, 'DIRECTORY', org_id, NULL, CASE consent WHEN 'PENDING' THEN 'PENDING' ELSE 'DECLINED' END, NULL, created_at
     FROM scim_users
     WHERE user_id = $1 AND consent_user_id = $1 AND consent IN ('PENDING', 'OPTED_OUT') AND active
       AND deleted_at IS NULL AND ($4::uuid IS NULL OR id < $4)
     ORDER BY id DESC LIMIT $5)
    ORDER BY id DESC LIMIT $5
  ) AS offer
  JOIN organisations ON organisations.id = offer.org_id AND organisations.deleted_at IS NULL
  ORDER BY offer.id DESC`;

/**
 * How many of these wait for an answer, which is not what the user has left or declined: $1 account, $2 their normalised
 * address or null, $3 now, $4 how many to count.
 */
export const WAITING = `
  SELECT count(*)::int AS waiting
  FROM (
    (SELECT
     FROM invitations JOIN organisations ON organisations.id = org_id AND organisations.deleted_at IS NULL
     WHERE invitations.status = 'PENDING' AND (user_id = $1 OR address = $2)
       AND ${statusAt('$3::timestamptz')} = 'PENDING'
     LIMIT $4)
    UNION ALL
    (SELECT
     FROM scim_users JOIN organisations ON organisations.id = org_id AND organisations.deleted_at IS NULL
     WHERE user_id = $1 AND consent_user_id = $1 AND consent = 'PENDING' AND active AND scim_users.deleted_at IS NULL
     LIMIT $4)
    LIMIT $4
  ) AS offer`;

/** An invitation to the user, whatever its status: $1 account, $2 address or null, $3 now, $4 the invitation. */
export const INVITATION = `
  SELECT invitations.id, 'INVITATION' AS kind, org_id, organisations.name, organisations.slug, role,
         ${statusAt('$3::timestamptz')} AS status, expires_at, invitations.created_at, true AS is_active
  FROM invitations JOIN organisations ON organisations.id = org_id
  WHERE invitations.id = $4 AND (user_id = $1 OR address = $2) AND organisations.deleted_at IS NULL`;

/** The membership that a directory provisions for an account: $1 account, $2 directory entry. */
export const DIRECTORY = `
  SELECT scim_users.id, 'DIRECTORY' AS kind, org_id, organisations.name, organisations.slug, NULL AS role,
         CASE consent WHEN 'PENDING' THEN 'PENDING' WHEN 'OPTED_OUT' THEN 'DECLINED' ELSE 'ACCEPTED' END AS status,
         NULL::timestamptz AS expires_at, scim_users.created_at, active AS is_active
  FROM scim_users JOIN organisations ON organisations.id = org_id
  WHERE scim_users.id = $2 AND user_id = $1 AND consent_user_id = $1 AND scim_users.deleted_at IS NULL
    AND organisations.deleted_at IS NULL`;

/** What the directory of an organisation offers a user who has not answered: $1 account, $2 organisation. */
export const OFFER_OF_DIRECTORY = `
  SELECT scim_users.id, organisations.name
  FROM scim_users JOIN organisations ON organisations.id = org_id
  WHERE org_id = $2 AND user_id = $1 AND consent_user_id = $1 AND consent = 'PENDING' AND active
    AND scim_users.deleted_at IS NULL AND organisations.deleted_at IS NULL`;

/** The newest of these: $1 account, $2 their normalised address or null, $3 now, $4 how many. */
export const WAITING_OFFERS = `
  SELECT offer.id, offer.kind, offer.org_id, offer.organisation_name, offer.role, offer.created_at,
         CASE WHEN ${isColleagueOf('$1', 'offer.invited_by')} THEN users.name END AS invited_by_name
  FROM (
    (SELECT invitations.id, 'INVITATION' AS kind, org_id, organisations.name AS organisation_name, role, invited_by,
            invitations.created_at
     FROM invitations JOIN organisations ON organisations.id = org_id AND organisations.deleted_at IS NULL
     WHERE invitations.status = 'PENDING' AND (user_id = $1 OR address = $2)
       AND ${statusAt('$3::timestamptz')} = 'PENDING'
     ORDER BY invitations.id DESC LIMIT $4)
    UNION ALL
    (SELECT scim_users.id, 'DIRECTORY', org_id, organisations.name, NULL, NULL, scim_users.created_at
     FROM scim_users JOIN organisations ON organisations.id = org_id AND organisations.deleted_at IS NULL
     WHERE user_id = $1 AND consent_user_id = $1 AND consent = 'PENDING' AND active AND scim_users.deleted_at IS NULL
     ORDER BY scim_users.id DESC LIMIT $4)
    ORDER BY id DESC LIMIT $4
  ) AS offer
  LEFT JOIN users ON users.id = offer.invited_by
  ORDER BY offer.id DESC`;
