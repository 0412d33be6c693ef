import type { DataSource, EntityManager } from 'typeorm';
import { withinDatabaseDeadline } from '../database/deadline';
import { execute } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { NotFoundError, UnavailableError } from '../errors/errors';
import { ErrorCode } from './organisation.errors';

/** Changes of one organisation that may wait in this process; more would wait longer than anybody does. */
const MOST_WAITING = 200;
const RETRY_AFTER_S = 2;

/** The changes of one organisation that are under way or wait in this process. */
interface Turns {
  last: Promise<unknown>;
  count: number;
}

const turnsOf = new WeakMap<DataSource, Map<string, Turns>>();

/** What is done before an organisation's lock is taken. */
interface BeforeLock {
  /** Runs in the same transaction, before it waits for the lock; what it throws ends it without a wait. */
  first?: (manager: EntityManager) => Promise<void>;
}

/**
 * Runs `work` in one transaction that holds the organisation's lock: whatever changes who has which role runs one after
 * the other. Those of this process wait for each other before they take a connection, since otherwise one busy
 * organisation would hold all of them, and nobody else were served.
 *
 * @param orgId as the database writes it
 * @throws NotFoundError when the organisation is gone; UnavailableError when too many wait; DatabaseDeadlineError when
 *   those before it take too long; whatever `work` throws
 */
export async function inOrganisation<T>(
  dataSource: DataSource,
  orgId: string,
  work: (manager: EntityManager) => Promise<T>,
  { first }: BeforeLock = {},
): Promise<T> {
  const all = turnsOf.get(dataSource) ?? new Map<string, Turns>();
  turnsOf.set(dataSource, all);
  const turns = all.get(orgId) ?? { last: Promise.resolve(), count: 0 };
  if (turns.count >= MOST_WAITING) {
    const detail = 'Too many changes of this organisation are waiting. Try again shortly.';
    throw new UnavailableError(ErrorCode.ServiceUnavailable, detail, RETRY_AFTER_S);
  }
  all.set(orgId, turns);
  turns.count++;
  const before = turns.last;
  const mine = withinDatabaseDeadline(before)
    .then(() =>
      inTransaction(dataSource, async (manager) => {
        await first?.(manager);
        await lockOrganisation(manager, orgId);
        return work(manager);
      }),
    )
    .finally(() => {
      turns.count--;
      if (turns.count === 0) all.delete(orgId);
    });
  // Also when this one has given up waiting: those behind it still come after those before it.
  turns.last = Promise.allSettled([before, mine]);
  return mine;
}

/**
 * Takes the organisation's lock until the end of the transaction. Of the strength of a plain UPDATE, so that rows which
 * refer to the organisation can be written meanwhile.
 *
 * @throws NotFoundError when the organisation is gone
 */
export async function lockOrganisation(manager: EntityManager, orgId: string): Promise<void> {
  const count = await execute(
    manager,
    `SELECT FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [orgId],
  );
  if (count === 0) throw new NotFoundError(ErrorCode.OrganisationNotFound, orgId);
}
