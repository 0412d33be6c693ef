import type { Statement } from '../../database/statements';
import { recordRows } from '../../events/outbox.sql';
import { FIND_ADMINS } from '../account-administration.sql';

/** Failed sign-ins of no one known that are recorded in a minute; a flood of them says nothing more. */
export const MAX_UNKNOWN_PER_MINUTE = 60;

const COLUMNS = `id, action, user_id, actor_type, actor_id, subject_type, subject_id, details, address, request_id`;

/**
 * $1 to $4 as for `FIND_ADMINS`, $5 the changes, $6 `causingTrace()`. Writes an entry of the audit log for each, and an event for the person
 * concerned and for every administrator. Each event has one owner, so that the fan-out of webhooks, which knows nothing
 * of this, sends it to the personal endpoints of exactly these people (ADR 31).
 */
export const RECORD_CHANGES: Statement = {
  name: 'account_record_changes',
  sql: `
  WITH change AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($5::jsonb) AS given (
      id uuid, action text, user_id uuid, actor_type text, actor_id uuid, subject_type text, subject_id uuid,
      details jsonb, address text, request_id text, owner_id uuid, data jsonb)
  ),
  admins AS MATERIALIZED (${FIND_ADMINS}),
  entries AS (
    INSERT INTO account_audit_log (${COLUMNS}) SELECT ${COLUMNS} FROM change
  )
  ${recordRows({
    type: 'action',
    orgId: 'NULL::uuid',
    ownerId: 'receiver.id',
    data: 'data',
    trace: '$6',
    from: `change CROSS JOIN LATERAL (
    SELECT owner_id AS id WHERE owner_id IS NOT NULL UNION SELECT id FROM admins) AS receiver
  ORDER BY change.id, receiver.id`,
  })}`,
};

/**
 * $1 id, $2 account or null, $3 details, $4 address, $5 request, $6 the first id of the last minute. Counts for known
 * accounts, too, so that it takes the same time.
 */
export const RECORD_FAILURE: Statement = {
  name: 'account_record_failure',
  sql: `
  WITH recent AS MATERIALIZED (
    SELECT count(*) AS number FROM (
      SELECT FROM account_audit_log
      WHERE actor_type = 'anonymous' AND user_id IS NULL AND id >= $6 LIMIT ${MAX_UNKNOWN_PER_MINUTE}) AS unknown
  )
  INSERT INTO account_audit_log (${COLUMNS})
  SELECT $1, 'session.failed', $2, 'anonymous', NULL, 'session', NULL, $3, $4, $5
  FROM recent WHERE number < ${MAX_UNKNOWN_PER_MINUTE} OR $2::uuid IS NOT NULL`,
};

/** $1 account, which is being deleted: its id names no one any more, but an address might. */
export const FORGET_ADDRESSES = `
  UPDATE account_audit_log SET address = NULL WHERE user_id = $1 AND address IS NOT NULL`;

/**
 * One page, newest first. $1 and $2 ids from (inclusive) and until (exclusive), $3 how many. The people are looked up for
 * the page only.
 *
 * @param filters columns that equal $4, and $5 if there are two
 */
export function listAccountLog(filters: readonly ('user_id' | 'subject_id')[]): string {
  return `
  SELECT page.*, ${nameOf('person')} AS user_name, person.email AS user_email,
         ${nameOf('actor')} AS actor_name, actor.email AS actor_email
  FROM (
    SELECT ${COLUMNS} FROM account_audit_log
    WHERE id >= $1 AND id < $2 ${filters.map((column, index) => `AND ${column} = $${index + 4}`).join(' ')}
    ORDER BY id DESC LIMIT $3) AS page
  LEFT JOIN users AS person ON person.id = page.user_id
  LEFT JOIN users AS actor ON actor.id = page.actor_id
  ORDER BY page.id DESC`;
}

function nameOf(user: string): string {
  return `CASE WHEN ${user}.deleted_at IS NULL THEN ${user}.name ELSE 'a deleted account' END`;
}
