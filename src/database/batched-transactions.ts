import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors/errors';
import { isUnavailable } from './database-errors';
import { countDatabaseTime, DatabaseDeadlineError, withDatabaseTimeOfGroup } from './deadline';

/** One transaction makes at most so many changes: it holds its locks for as long as all of them take. */
const MAX_TOGETHER = 25;

/** After a group of which not all could be done together, so many are done alone: the next are hardly different. */
const ALONE_AFTER = 20;
const REMEMBERED_KEYS = 1_000;

interface Group<Change, Result> {
  changes: Change[];
  /** Whether its turn has come: it takes no more. */
  isClosed: boolean;
  /** In the order of the changes; undefined for those that have to be made alone. */
  results: Promise<readonly (Result | undefined)[]>;
}

/** How changes are made. */
interface Work<Change, Result> {
  /**
   * Makes the changes of a group in one transaction, in the order in which the requests came.
   *
   * @param first the change that opened the group
   * @param close to be called when its turn has come, and again for each further attempt: all changes of the group
   * @returns the results; one that is missing, or undefined, was not made, and has to be made alone
   */
  together: (first: Change, close: () => readonly Change[]) => Promise<readonly (Result | undefined)[]>;
  alone: (change: Change) => Promise<Result>;
}

/**
 * Changes that wait for the same turn share its transaction: what a transaction costs is mostly the same for one change
 * and for ten. A change that comes alone waits for nobody, and nobody waits for others to come.
 */
export class BatchedTransactions<Change, Result> {
  private readonly open = new Map<string, Group<Change, Result>>();
  /** How many are to be made alone, by key. */
  private readonly apart = new LRUCache<string, number>({ max: REMEMBERED_KEYS });

  constructor(private readonly work: Work<Change, Result>) {}

  /**
   * @param key of what may share a transaction
   * @throws what `together` throws, if that concerns all; what `alone` throws
   */
  async make(key: string, change: Change): Promise<Result> {
    const apart = this.apart.get(key) ?? 0;
    if (apart > 0) {
      this.apart.set(key, apart - 1);
      return this.work.alone(change);
    }
    const group = this.open.get(key) ?? this.begin(key, change);
    if (group.changes.length >= MAX_TOGETHER) return this.work.alone(change);
    const place = group.changes.push(change) - 1;
    const result = await this.resultOf(group, place);
    if (result !== undefined) return result;
    this.apart.set(key, ALONE_AFTER);
    return this.work.alone(change);
  }

  private begin(key: string, first: Change): Group<Change, Result> {
    const group: Group<Change, Result> = { changes: [], isClosed: false, results: Promise.resolve([]) };
    this.open.set(key, group);
    const endOpen = () => {
      if (this.open.get(key) === group) this.open.delete(key);
    };
    const close = () => {
      group.isClosed = true;
      endOpen();
      return group.changes;
    };
    // It has the time of one request, even if the client that opened it leaves.
    group.results = withDatabaseTimeOfGroup(async () => {
      // Until the group has its first change.
      await Promise.resolve();
      return this.work.together(first, close);
    }).finally(endOpen);
    return group;
  }

  /** @returns undefined: it has to be made alone */
  private async resultOf(group: Group<Change, Result>, place: number): Promise<Result | undefined> {
    const startedAt = performance.now();
    try {
      return (await group.results)[place];
    } catch (error) {
      // A group whose turn did not come had the time of the one that opened it; others may have some left.
      if (group.isClosed && (group.changes.length === 1 || concernsAll(error))) throw error;
      return undefined;
    } finally {
      countDatabaseTime(startedAt);
    }
  }
}

/** Whether it is about the caller or the database, and not about one of the changes. */
function concernsAll(error: unknown): boolean {
  return error instanceof DomainError || error instanceof DatabaseDeadlineError || isUnavailable(error);
}
