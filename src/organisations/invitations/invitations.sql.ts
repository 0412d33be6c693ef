import { statusAt } from './invitation-status.sql';

/** The invitations of an organisation: $1, at the moment $2. */
export const INVITATIONS = `
  SELECT * FROM (
    SELECT id, email, user_id, role, ${statusAt('$2::timestamptz')} AS status, expires_at, created_at, invited_by
    FROM invitations WHERE org_id = $1
  ) AS invitation`;

/**
 * Brings what is written to what is: so that an invitation which has expired or is worth nothing any more does not stand
 * in the way of another one. $1 organisation, $2 now.
 */
export const SETTLE = `
  UPDATE invitations SET status = ${statusAt('$2::timestamptz')}
  WHERE org_id = $1 AND status = 'PENDING' AND ${statusAt('$2::timestamptz')} <> 'PENDING'`;

/** $1 organisation, $2 until when they expired: a bounded part of what nobody needs to read any more. */
export const FORGET = `
  DELETE FROM invitations WHERE id IN (
    SELECT id FROM invitations WHERE org_id = $1 AND expires_at < $2 AND status <> 'PENDING'
    ORDER BY expires_at LIMIT 100)`;

/** $1 organisation. */
export const COUNT_PENDING = `
  SELECT count(*)::int AS pending FROM invitations WHERE org_id = $1 AND status = 'PENDING'`;

/** No row where the person has a pending one: $3 address or $4 account. */
export const INSERT = `
  INSERT INTO invitations (id, org_id, email, address, user_id, role, invited_by, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT DO NOTHING
  RETURNING id, email, user_id, role, status, expires_at, created_at`;
