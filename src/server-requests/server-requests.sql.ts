import { personName } from '../organisations/person-name.sql';

/**
 * The name of a person as the organisation ($1) knows it; null after they left, since it has no business with them any more.
 *
 * @param person the SQL expression of their id
 */
function nameOf(person: string): string {
  return `(SELECT ${personName()} FROM memberships JOIN users ON users.id = memberships.user_id
    WHERE memberships.org_id = $1 AND memberships.user_id = ${person})`;
}

/** The requests of an organisation ($1). */
const REQUESTS = `
  SELECT requests.id, requests.listing_id, requests.listing_name, requests.name, requests.why, requests.status,
         requests.requested_by, requests.decided_by, requests.answer, requests.created_at, requests.decided_at,
         ${nameOf('requests.requested_by')} AS requester_name, ${nameOf('requests.decided_by')} AS decider_name
  FROM server_requests AS requests
  WHERE requests.org_id = $1`;

/** $2 the member whose requests these are, $3 status; null: any. $4 the last id of the previous page, $5 rows. */
export const LIST = `${REQUESTS}
    AND ($2::uuid IS NULL OR requests.requested_by = $2) AND ($3::text IS NULL OR requests.status = $3)
    AND ($4::uuid IS NULL OR requests.id < $4)
  ORDER BY requests.id DESC LIMIT $5`;

/** $2 request, $3 the member who may see only their own; null: they may see all. */
export const FIND = `${REQUESTS} AND requests.id = $2 AND ($3::uuid IS NULL OR requests.requested_by = $3)`;

/** $1 listing. */
export const HOLD_LISTING = `SELECT FROM listings WHERE id = $1 FOR KEY SHARE`;

/** $1 id, $2 organisation, $3 listing, $4 its name, $5 name, $6 subject, $7 why, $8 member, $9 now. */
export const INSERT = `
  INSERT INTO server_requests
    (id, org_id, listing_id, listing_name, name, subject_key, why, requested_by, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** $1 organisation, $2 request, $3 status, $4 who decides or null, $5 what they say, $6 now. No row if it is not open. */
export const SETTLE = `
  UPDATE server_requests SET status = $3, decided_by = $4, answer = $5, decided_at = $6
  WHERE org_id = $1 AND id = $2 AND status = 'OPEN'`;

/**
 * The request of a member ($1) in an organisation ($2) that must be a day old before the next one: number $4 from the
 * newest, if it was made in the last day, whose ids start at $3. Counts all statuses, so that a member who asks and
 * withdraws in a loop cannot fill the table.
 */
export const LAST_OF_DAY = `
  SELECT id FROM server_requests WHERE requested_by = $1 AND org_id = $2 AND id >= $3
  ORDER BY id DESC OFFSET $4::int - 1 LIMIT 1`;

/** $1 a person, $2 how many to count: the organisations whose open requests they can decide, those with most first. */
export const WAITING = `
  SELECT organisations.id AS org_id, organisations.name AS organisation_name, waiting.count
  FROM memberships JOIN organisations ON organisations.id = memberships.org_id AND organisations.deleted_at IS NULL
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS count
    FROM (SELECT FROM server_requests AS requests
          WHERE requests.org_id = memberships.org_id AND requests.status = 'OPEN' LIMIT $2) AS requests
  ) AS waiting
  WHERE memberships.user_id = $1 AND memberships.role IN ('ADMIN', 'OWNER') AND waiting.count > 0
  ORDER BY waiting.count DESC, organisations.name, organisations.id LIMIT $2`;

/** A member ($1) has these open requests in an organisation ($3), for `Cap`. */
export const OPEN_OF_MEMBER = `server_requests WHERE requested_by = $1 AND org_id = $3 AND status = 'OPEN'`;

/** An organisation ($1) has these open requests, for `Cap`. */
export const OPEN_OF_ORGANISATION = `server_requests WHERE org_id = $1 AND status = 'OPEN'`;
