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

/** $1 now, $2 up to how many are counted. Mails whose next attempt is due, by the index of these times. */
export const DUE_MAILS = `
  SELECT (SELECT count(*)::int FROM (SELECT FROM mails WHERE next_attempt_at <= $1 LIMIT $2) AS due) AS depth,
         (SELECT min(next_attempt_at) FROM mails WHERE next_attempt_at <= $1) AS oldest_at`;

/** $1 now, $2 until when no other process tries them, $3 how many. */
export const CLAIM_MAILS = `
  UPDATE mails SET attempt_count = attempt_count + 1, next_attempt_at = $2
  WHERE id IN (
    SELECT id FROM mails WHERE next_attempt_at <= $1 ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING id, kind, sealed, attempt_count, expires_at`;

/** $1 now, $2 how many. Also where no mail server is set any more. */
export const EXPIRE_MAILS = `
  UPDATE mails
  SET status = 'FAILED', sealed = NULL, next_attempt_at = NULL, last_error = coalesce(last_error, 'expired'), finished_at = $1
  WHERE id IN (
    SELECT id FROM mails WHERE sealed IS NOT NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2
    FOR UPDATE SKIP LOCKED)`;
