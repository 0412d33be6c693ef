import type { EntityManager } from 'typeorm';
import { execute, maybe } from '../../../database/statements';
import { RateLimitedError } from '../../../errors/errors';

/**
 * $1 organisation, $2 operation, $3 calls in any 60 seconds. Writes a row if this call is allowed. A single statement,
 * which locks the row and reads it again after a wait, by the database's clock: so the rate holds for all processes
 * together. Nothing older than 60 seconds is kept.
 */
const COUNT = `
  INSERT INTO organisation_calls AS kept (org_id, operation, calls) VALUES ($1, $2, ARRAY[clock_timestamp()])
  ON CONFLICT (org_id, operation) DO UPDATE SET calls = ARRAY(
    SELECT call FROM unnest(kept.calls || clock_timestamp()) AS call
    WHERE call > clock_timestamp() - interval '60 seconds' ORDER BY call)
  WHERE (SELECT count(*) FROM unnest(kept.calls) AS call
         WHERE call > clock_timestamp() - interval '60 seconds') < $3`;

/** The same parameters. How long until enough of the stored calls are 60 seconds old, in whole seconds. */
const WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM
           calls[greatest(1, cardinality(calls) - $3 + 1)] + interval '60 seconds' - clock_timestamp())))::int AS seconds
  FROM organisation_calls WHERE org_id = $1 AND operation = $2`;

/** An expensive operation, and how often an organisation may run it. */
export interface CallRate {
  orgId: string;
  operation: 'scim_sync' | 'scim_sync_preview';
  perMinute: number;
  /** The name of the operation in the plural: `syncs`. */
  noun: string;
}

/**
 * Counts a call, or rejects it if the limit was reached in the last 60 seconds; rejected calls do not count. One
 * statement, or two for a rejection.
 *
 * @param manager not of a transaction that may be rolled back: a failing call costs as much
 * @throws RateLimitedError with the seconds until the next call is allowed
 */
export async function requireRate(
  manager: EntityManager,
  { orgId, operation, perMinute, noun }: CallRate,
): Promise<void> {
  if ((await execute(manager, COUNT, [orgId, operation, perMinute])) > 0) return;
  const wait = await maybe<{ seconds: number }>(manager, WAIT, [orgId, operation, perMinute]);
  throw new RateLimitedError(`An organisation can run at most ${perMinute} ${noun} in a minute.`, wait?.seconds ?? 1, {
    name: noun,
    quota: perMinute,
    seconds: 60,
  });
}
