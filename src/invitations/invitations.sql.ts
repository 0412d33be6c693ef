import { statusAt } from './invitation-status.sql';

/** The invitations of an organisation: $1, at the moment $2. */
export const INVITATIONS = `
  SELECT * FROM (
    SELECT id, email, user_id, role, ${statusAt('$2::timestamptz')} AS status, expires_at, created_at, invited_by
    FROM invitations WHERE org_id = $1
  ) AS invitation`;

/**
 * Those of an organisation ($1) that have a status ($4) at the moment $2: $3 the last one of the page before, $5 rows.
 * Only what is written as pending may have another one, and of that there is a limit.
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
 * Brings what is written to what is: so that an invitation which has expired or is worth nothing any more does not stand
 * in the way of another one. $1 organisation, $2 now.
 */
export const SETTLE = `
  UPDATE invitations SET status = ${statusAt('$2::timestamptz')}
  WHERE org_id = $1 AND status = 'PENDING' AND ${statusAt('$2::timestamptz')} <> 'PENDING'`;

/**
 * The invitation of an organisation ($1) that has to be a day old before it may send another: number $3 from the newest,
 * if it is of the last day, whose ids begin at $2. Whatever became of it: an organisation that invites and revokes in a
 * loop must not fill the table.
 */
export const LAST_OF_DAY = `
  SELECT id FROM invitations WHERE org_id = $1 AND id >= $2 ORDER BY id DESC OFFSET $3::int - 1 LIMIT 1`;

/** $1 organisation. */
export const COUNT_PENDING = `
  SELECT count(*)::int AS pending FROM invitations WHERE org_id = $1 AND status = 'PENDING'`;

/** No row where the person has a pending one: $3 address or $4 account. */
export const INSERT = `
  INSERT INTO invitations (id, org_id, email, address, user_id, role, invited_by, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT DO NOTHING
  RETURNING id, email, user_id, role, status, expires_at, created_at`;
