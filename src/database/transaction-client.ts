import { Client, type ClientConfig, Query, type QueryConfig, type QueryResult } from 'pg';
import { DatabaseDeadlineError } from './deadline';
import type { OwnNews } from './own-news';
import { QueryGroup } from './query-group';

const START = 'START TRANSACTION';
const COMMIT = 'COMMIT';
const ROLLBACK = 'ROLLBACK';

type Send = (query: string | QueryConfig, values?: unknown[], ...more: unknown[]) => Promise<QueryResult>;

/** What was not sent gives nothing. */
const NOTHING: QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * Sent before COMMIT where a client waits: fails, so that the server skips COMMIT, if it is executed after $1, milliseconds
 * since the epoch. Returns the time of the server, and the channel of which the transaction has news that we take ourselves.
 */
const IN_TIME = {
  name: 'commit_in_time',
  sql: `
  SELECT moment.ms AS now, 1 / (moment.ms < $1::float8)::int, nullif(current_setting('toolyard.own_news', true), '') AS news
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms) AS moment`,
};
const DIVISION_BY_ZERO = '22012';
/** Sent after START TRANSACTION where we take the news of the channel $1 ourselves (`own-news.ts`). */
const TAKE_NEWS = { name: 'take_news', sql: `SELECT set_config('toolyard.own_channel', $1, true)` };
/** Where COMMIT is not sent with it: only asks for the time. */
const ANY_TIME = 'Infinity';
/** Of what is known of the server's clock: it may be corrected, or run faster or slower than ours. */
const CLOCK_KNOWN_FOR_MS = 60_000;

/** How often the clock of a server was found to have moved: then what other connections know of it is wrong, too. */
let clockMoves = 0;

/** The server says that the time for COMMIT is over, and we say that it is not. Its code is one of those to try again. */
export class ServerClockError extends Error {
  readonly code = '40001';

  constructor() {
    super('The clock of the database is not what it was; the transaction was rolled back.');
    this.name = 'ServerClockError';
  }
}

/** The state of a transaction. */
interface Transaction {
  /** Undefined: START TRANSACTION was not sent yet. */
  started?: Promise<unknown>;
  /** Whether the first statements are still waiting to be sent, START TRANSACTION before them. */
  isUnsent: boolean;
  hasSavepoint: boolean;
  /** How many statements that are sent alone are still to be sent: COMMIT must not overtake them. */
  waitingAlone: number;
  /** Adds to what is sent next, at its end. */
  last?: () => void;
  /** Whether COMMIT is sent with it. */
  isEnding: boolean;
  isCommitted: boolean;
}

/**
 * A connection that needs fewer round trips for a transaction: START TRANSACTION is sent with its first statement,
 * statements that are issued together, without waiting for each other, are sent together, and COMMIT with them if asked
 * for (`commitTogether`, `commitInTime`). What is sent together is executed in the order in which it was issued, each
 * statement with a snapshot of its own, and nothing of it after one that fails.
 *
 * The texts are those of TypeORM, which manages transactions as before; one without statements is not sent at all. A
 * statement without parameters or name is sent alone, since it may be several, which only the simple protocol accepts.
 */
export class TransactionClient extends Client {
  private transaction?: Transaction;
  private readonly waiting: Query[] = [];
  private willFlush = false;
  private readonly send: Send;
  private readonly inTime: QueryConfig;
  private readonly takeNews: QueryConfig;
  private readonly ownNews?: OwnNews;
  /** When the time of the server was 0, or later, and when that was found out; of `performance.now()`. */
  private serverClock?: { zero: number; at: number; moves: number };

  /** Set while a request has the connection: when its time for the database ends, of `performance.now()`. */
  endsAt?: () => number;

  /** @param config of the pool: with what `createDataSource` adds to it */
  constructor(config?: ClientConfig & { preparesStatements?: boolean; ownNews?: OwnNews }) {
    super(config);
    this.inTime = { text: IN_TIME.sql, ...(config?.preparesStatements && { name: IN_TIME.name }) };
    this.takeNews = { text: TAKE_NEWS.sql, ...(config?.preparesStatements && { name: TAKE_NEWS.name }) };
    this.ownNews = config?.ownNews;
    const send: unknown = super.query.bind(this);
    this.send = send as Send;
    const intercept: unknown = (...given: Parameters<Send>) => this.intercept(...given);
    this.query = intercept as Client['query'];
  }

  /**
   * Commits in the same round trip as the statements that are issued at the same time. If one of them fails, nothing is
   * committed. The transaction accepts no further statement, and what its work still throws rolls nothing back. Does
   * nothing after a savepoint, so that an inner transaction does not end the outer one, nor beside a statement that is sent
   * alone: then the manager of the transaction commits.
   *
   * @returns after the commit; whoever manages the transaction may commit it once more
   * @throws the error of those statements, or of the commit
   */
  async commitTogether(): Promise<void> {
    const { transaction } = this;
    if (!transaction || transaction.hasSavepoint) return;
    await this.last(transaction, () => this.commit(transaction));
    transaction.isCommitted = transaction.isEnding;
  }

  /**
   * The same for a transaction of which a client hears: nothing is committed if the server gets to it after the deadline of
   * the request, because it was frozen, when the client has been told that it failed. If the time of the server is not
   * known yet, the statement only reads it, and the manager of the transaction commits. As with any COMMIT, nobody can tell
   * whether it took effect if the connection is lost before the answer. What is sent as a whole with its COMMIT may leave its
   * news to this process (`own-news.ts`).
   *
   * @throws ServerClockError if nothing was committed, and the transaction may be run again; DatabaseDeadlineError if nothing
   *   was committed because it is too late
   */
  async commitInTime(): Promise<void> {
    const { transaction, endsAt, serverClock } = this;
    if (!transaction || transaction.hasSavepoint) return;
    if (!endsAt) return this.commitTogether();
    const isKnown = serverClock?.moves === clockMoves && performance.now() - serverClock.at < CLOCK_KNOWN_FOR_MS;
    // Until it is known again.
    this.serverClock = undefined;
    const asked = await this.last(transaction, async () => {
      if (isKnown && transaction.isUnsent) this.leaveNews();
      const time = this.add({ ...this.inTime, values: [isKnown ? endsAt() - serverClock.zero : ANY_TIME] });
      const [answer] = await Promise.all([time, isKnown && this.commit(transaction)]);
      return answer as QueryResult<{ now: number; news: string | null }>;
    }).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== DIVISION_BY_ZERO) throw error;
      if (performance.now() >= endsAt()) throw new DatabaseDeadlineError();
      clockMoves += 1;
      throw new ServerClockError();
    });
    const at = performance.now();
    const [row] = asked?.rows ?? [];
    if (row) this.serverClock = { zero: at - row.now, at, moves: clockMoves };
    transaction.isCommitted = transaction.isEnding;
    if (row?.news != null) this.ownNews?.tell(row.news);
  }

  private leaveNews(): void {
    const channel = this.ownNews?.channel;
    // It fails only with the statements after it.
    if (channel !== undefined) this.add({ ...this.takeNews, values: [channel] }, 1).catch(() => undefined);
  }

  /**
   * Adds something to what is sent next, after all the rest of it.
   *
   * @returns nothing if the transaction has no statements, or one that is still to be sent alone
   */
  private last<T>(transaction: Transaction, add: () => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      transaction.last = () => {
        if (transaction.started && transaction.waitingAlone === 0) add().then(resolve, reject);
        else resolve(undefined);
      };
      this.flushLater();
    });
  }

  private commit(transaction: Transaction): Promise<unknown> {
    transaction.isEnding = true;
    return this.add(this.own(COMMIT));
  }

  private intercept(query: string | QueryConfig, values?: unknown[], ...more: unknown[]): Promise<QueryResult> {
    const { transaction } = this;
    if (query === START && !transaction) {
      this.transaction = { isUnsent: true, hasSavepoint: false, waitingAlone: 0, isEnding: false, isCommitted: false };
      return Promise.resolve(NOTHING);
    }
    if (!transaction) return this.send(query, values, ...more);
    if (query === COMMIT || query === ROLLBACK) return this.endTransaction(transaction, query);
    if (transaction.isEnding)
      return Promise.reject(new Error('A statement was issued after the end of its transaction.'));
    if (more.length > 0) return Promise.reject(new Error('In a transaction, statements return promises.'));
    const config: QueryConfig = typeof query === 'string' ? { text: query, values } : query;
    if (config.name === undefined && !config.values?.length) return this.sendAlone(transaction, config);
    if (!transaction.started) this.start(transaction, this.add(this.own(START)));
    return this.add(config);
  }

  private endTransaction(transaction: Transaction, text: string): Promise<QueryResult> {
    this.flush();
    this.transaction = undefined;
    return transaction.started && !transaction.isCommitted ? this.send(text) : Promise.resolve(NOTHING);
  }

  private async sendAlone(transaction: Transaction, config: QueryConfig): Promise<QueryResult> {
    if (config.text.startsWith('SAVEPOINT')) transaction.hasSavepoint = true;
    transaction.waitingAlone += 1;
    this.flush();
    transaction.isUnsent = false;
    if (!transaction.started) this.start(transaction, this.send(START));
    // Outside of its transaction it would take effect at once.
    await transaction.started;
    transaction.waitingAlone -= 1;
    return this.send(config);
  }

  private start(transaction: Transaction, started: Promise<unknown>): void {
    transaction.started = started;
    started.catch(() => undefined); // The statement after it fails with the same error.
  }

  private own(text: string): QueryConfig {
    // Without a name: it is nothing to plan, and the connection need not remember it.
    return { text, queryMode: 'extended' } as QueryConfig;
  }

  private add(config: QueryConfig, place = this.waiting.length): Promise<QueryResult> {
    this.flushLater();
    return new Promise<QueryResult>((resolve, reject) => {
      const done = (error: Error | undefined, result: unknown) =>
        error ? reject(error) : resolve(result as QueryResult);
      this.waiting.splice(place, 0, new Query(config, done));
    });
  }

  /** After everything that can be issued without waiting: ticks come after all promises that are settled. */
  private flushLater(): void {
    if (this.willFlush) return;
    this.willFlush = true;
    process.nextTick(() => this.flush());
  }

  private flush(): void {
    const last = this.transaction?.last;
    if (this.transaction) this.transaction.last = undefined;
    last?.();
    this.willFlush = false;
    if (this.waiting.length === 0) return;
    if (this.transaction) this.transaction.isUnsent = false;
    super.query(new QueryGroup(this.waiting.splice(0)));
  }
}
