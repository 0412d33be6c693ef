import { Client, type ClientConfig, Query, type QueryConfig, type QueryResult } from 'pg';
import { QueryGroup } from './query-group';

const START = 'START TRANSACTION';
const COMMIT = 'COMMIT';
const ROLLBACK = 'ROLLBACK';

type Send = (query: string | QueryConfig, values?: unknown[], ...more: unknown[]) => Promise<QueryResult>;

/** What was not sent gives nothing. */
const NOTHING: QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/** The state of a transaction. */
interface Transaction {
  /** Undefined: START TRANSACTION was not sent yet. */
  started?: Promise<unknown>;
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
 * for (`commitTogether`). What is sent together is executed in the order in which it was issued, each
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

  /** @param config of the pool */
  constructor(config?: ClientConfig) {
    super(config);
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
      this.transaction = { hasSavepoint: false, waitingAlone: 0, isEnding: false, isCommitted: false };
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

  private add(config: QueryConfig): Promise<QueryResult> {
    this.flushLater();
    return new Promise<QueryResult>((resolve, reject) => {
      const done = (error: Error | undefined, result: unknown) =>
        error ? reject(error) : resolve(result as QueryResult);
      this.waiting.push(new Query(config, done));
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
    super.query(new QueryGroup(this.waiting.splice(0)));
  }
}
