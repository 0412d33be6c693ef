import { statusAt } from './invitation-status.sql';

/** The invitations of an organisation ($1) at the time $2. */
export const INVITATIONS = `
  SELECT * FROM (
    SELECT id, email, user_id, role, ${statusAt('$2::timestamptz')} AS status, expires_at, created_at, invited_by
    FROM invitations WHERE org_id = $1
  ) AS invitation`;

/**
 * The invitations of an organisation ($1) with a status ($4) at the time $2; $3 the last one of the previous page, $5
 * the number of rows. Only rows stored as pending can have a different current status, and their number is limited.
 */
export const INVITATIONS_BY_STATUS = `
  SELECT * FROM (
    (SELECT id, email, user_id, role, status, expires_at, created_at
     FROM invitations
     WHERE org_id = $1 AND status = $4 AND status <> 'PENDING' AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $5)
    UNION ALL
    (SELECT * FROM (
       SELECT id, email, user_id, role, ${statusAt('$2::timestamptz')} AS status, expires_at, created_at
       FROM invitations
       WHERE org_id = $1 AND invitations.status = 'PENDING' AND ($3::uuid IS NULL OR id < $3)
     ) AS pending
     WHERE status = $4 ORDER BY id DESC LIMIT $5)
  ) AS invitation
  ORDER BY id DESC LIMIT $5`;

/**
 * Stores the current status of pending invitations, so that an expired or revoked one does not block a new one.
 * $1 organisation, $2 now.
 */
export const SETTLE = `
  UPDATE invitations SET status = ${statusAt('$2::timestamptz')}
  WHERE org_id = $1 AND status = 'PENDING' AND ${statusAt('$2::timestamptz')} <> 'PENDING'`;

/**
 * The invitation of an organisation ($1) that must be a day old before the next can be sent: number $3 from the newest,
 * if it was sent in the last day, whose ids start at $2. Counts all statuses, so that an organisation that invites and
 * revokes in a loop cannot fill the table.
 */
export const LAST_OF_DAY = `
  SELECT id FROM invitations WHERE org_id = $1 AND id >= $2 ORDER BY id DESC OFFSET $3::int - 1 LIMIT 1`;

/** $1 organisation. */
export const COUNT_PENDING = `
  SELECT count(*)::int AS pending FROM invitations WHERE org_id = $1 AND status = 'PENDING'`;

/** Returns no row if the user has a pending invitation; $4 address or $5 account. */
export const INSERT = `
  INSERT INTO invitations (id, org_id, email, address, user_id, role, invited_by, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT DO NOTHING
  RETURNING id, email, user_id, role, status, expires_at, created_at`;
