/** Every process that sends listens to it. */
export const MAILS_CHANNEL = 'mails';

/**
 * $1 id, $2 kind, $3 what it is about or null, $4 recipient, $5 sealed, $6 now, $7 expiry, $8 how many may wait, $9 how
 * many of the kind the recipient gets in 24 hours, $10 the recipient with each key. Inserts nothing if there are as many.
 */
export const INSERT_MAIL = `
  WITH mail AS (
    INSERT INTO mails
      (id, kind, about_id, recipient, sealed, status, attempt_count, next_attempt_at, expires_at, created_at)
    SELECT $1, $2, $3, $4, $5, 'PENDING', 0, $6::timestamptz, $7, $6
    WHERE (SELECT count(*) FROM (SELECT FROM mails WHERE next_attempt_at IS NOT NULL LIMIT $8) AS waiting) < $8
      AND (SELECT count(*) FROM (
        SELECT FROM mails
        WHERE recipient = ANY ($10) AND kind = $2 AND created_at > $6::timestamptz - interval '24 hours' LIMIT $9
      ) AS recent) < $9
    RETURNING id
  )
  SELECT pg_notify('${MAILS_CHANNEL}', '') FROM mail`;

/** $1 now, $2 until when no other process tries them, $3 how many. */
export const CLAIM_MAILS = `
  UPDATE mails SET attempt_count = attempt_count + 1, next_attempt_at = $2
  WHERE id IN (
    SELECT id FROM mails WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING id, kind, sealed, attempt_count, expires_at`;

/** Of a claimed mail: $1 id, $2 the number of the attempt. Finds nothing if it was withdrawn or claimed again. */
const CLAIMED = `id = $1 AND attempt_count = $2 AND status = 'PENDING'`;

/** $3 sealed, $4 what it is about, $5 expiry. */
export const STORE_COMPOSED = `UPDATE mails SET sealed = $3, about_id = $4, expires_at = $5 WHERE ${CLAIMED}`;

/** $3 when, $4 error. */
export const TRY_AGAIN = `UPDATE mails SET next_attempt_at = $3, last_error = $4 WHERE ${CLAIMED}`;

/** $3 `SENT` or `FAILED`, $4 error or null, $5 now. */
export const FINISH_MAIL = `
  UPDATE mails SET status = $3, sealed = NULL, next_attempt_at = NULL, last_error = $4, finished_at = $5
  WHERE ${CLAIMED}`;

/** $1 what they are about, $2 now. The rows stay, as they count for how many a recipient gets. */
export const WITHDRAW_MAILS = `
  UPDATE mails
  SET status = 'FAILED', sealed = NULL, next_attempt_at = NULL, last_error = 'withdrawn', finished_at = $2
  WHERE about_id = $1 AND status = 'PENDING'`;

/** $1 now, $2 how many. Also where no mail server is set any more. */
export const EXPIRE_MAILS = `
  UPDATE mails
  SET status = 'FAILED', sealed = NULL, next_attempt_at = NULL, last_error = coalesce(last_error, 'expired'), finished_at = $1
  WHERE id IN (
    SELECT id FROM mails WHERE sealed IS NOT NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2
    FOR UPDATE SKIP LOCKED)`;

const COLUMNS = `id, kind, about_id, status, attempt_count, last_error, next_attempt_at, expires_at, created_at, finished_at`;

/** One page, newest first. $1 the last one of the previous page or null, $2 how many. */
export const LIST_MAILS = `SELECT ${COLUMNS} FROM mails WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`;

/** $3 status. */
export const LIST_MAILS_BY_STATUS = `
  SELECT ${COLUMNS} FROM mails WHERE status = $3 AND ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2`;
