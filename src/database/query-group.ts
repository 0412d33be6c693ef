import type { Connection, Query, Submittable } from 'pg';

/** What node-postgres calls on a query; its types omit it. */
interface Statement extends Submittable {
  readonly name?: string;
  readonly text: string;
  submit: (connection: Connection) => Error | null;
  handleRowDescription: (message: unknown) => void;
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: Connection) => void;
  handleEmptyQuery: (connection: Connection) => void;
  handlePortalSuspended: (connection: Connection) => void;
  handleCopyInResponse: (connection: Connection) => void;
  handleCopyData: (message: unknown, connection: Connection) => void;
  handleError: (error: Error, connection: Connection) => void;
  handleReadyForQuery: (connection: Connection) => void;
}

/** What a node-postgres connection remembers of prepared statements, by name; its types omit it. */
interface PreparingConnection extends Connection {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
}

/**
 * Several statements that are sent together and share one Sync message: one round trip, and the server skips all that
 * follow one that fails (PostgreSQL, "Pipelining"). With the driver's own pipelining, each would have its own Sync, and
 * would be executed even if START TRANSACTION before it had failed, outside of any transaction.
 *
 * To the driver it is one query, which passes each answer of the server on to the statement that it belongs to. Results and
 * errors of all of them are reported when the last one has ended: those that were skipped fail with the error of the one
 * before.
 *
 * What it reads of the driver is private there, and worth a quarter of the CPU time of a delivery (ADR 35);
 * `test/database/transaction-client.slow-spec.ts` fails when the driver changes it.
 */
export class QueryGroup implements Submittable {
  private readonly statements: Statement[];
  /** The index of the statement that the server answers next. */
  private current = 0;

  /** @param queries with parameters or names, or of the extended protocol */
  constructor(queries: readonly Query[]) {
    this.statements = queries as unknown as Statement[];
  }

  /** The driver notes by name and text what the server has prepared. */
  get name(): string | undefined {
    return this.answered?.name;
  }

  get text(): string | undefined {
    return this.answered?.text;
  }

  submit(connection: Connection): null {
    // One system call for all.
    connection.stream.cork();
    try {
      this.submitStatements(connection);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.answered?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.answered?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.answered?.handleCommandComplete(message, connection);
    this.current += 1;
  }

  handleEmptyQuery(connection: Connection): void {
    this.answered?.handleEmptyQuery(connection);
    this.current += 1;
  }

  handlePortalSuspended(connection: Connection): void {
    this.answered?.handlePortalSuspended(connection);
  }

  handleCopyInResponse(connection: Connection): void {
    this.answered?.handleCopyInResponse(connection);
  }

  handleCopyData(message: unknown, connection: Connection): void {
    this.answered?.handleCopyData(message, connection);
  }

  /** The error comes from the server, or from a lost connection. The driver calls nothing else after it. */
  handleError(error: Error, connection: Connection): void {
    this.failFrom(this.current, error, connection);
    this.handleReadyForQuery(connection);
  }

  handleReadyForQuery(connection: Connection): void {
    for (const statement of this.statements.splice(0)) statement.handleReadyForQuery(connection);
  }

  private get answered(): Statement | undefined {
    return this.statements[this.current];
  }

  /** Up to the first one that cannot be sent; those after it fail with its error. */
  private submitStatements(connection: Connection): void {
    const unsynced = withoutSync(connection);
    for (const [index, statement] of this.statements.entries()) {
      const failure = submitStatement(statement, unsynced);
      if (!failure) continue;
      this.statements.splice(index, 1);
      // The driver has asked the server to close it, but still counts it as prepared.
      forgetParsed(statement, connection);
      forgetSubmitted(statement, connection);
      this.failFrom(index, failure, connection);
      return;
    }
  }

  /** The statements from there on were not executed, nor prepared. */
  private failFrom(index: number, error: Error, connection: Connection): void {
    for (const statement of this.statements.splice(index)) {
      forgetSubmitted(statement, connection);
      statement.handleError(error, connection);
    }
  }
}

/** Each statement ends with Sync, which the group sends once. */
function withoutSync(connection: Connection): Connection {
  return Object.create(connection, { sync: { value: () => undefined } }) as Connection;
}

/**
 * Sends a statement.
 *
 * @returns why it was not sent, which has been reported to the statement; undefined: it was sent
 */
function submitStatement(statement: Statement, connection: Connection): Error | undefined {
  let failure: Error | undefined;
  const report = statement.handleError.bind(statement);
  statement.handleError = (error, on) => {
    failure = error;
    report(error, on);
  };
  // The driver returns some errors, and reports others itself, such as a value that cannot be sent.
  const returned = statement.submit(connection);
  if (returned) statement.handleError(returned, connection);
  statement.handleError = report;
  return failure;
}

/** It has to be prepared again, though the server was asked to prepare it. */
function forgetSubmitted({ name }: Statement, connection: Connection): void {
  if (name !== undefined) delete (connection as PreparingConnection).submittedNamedStatements[name];
}

function forgetParsed({ name }: Statement, connection: Connection): void {
  if (name !== undefined) delete (connection as PreparingConnection).parsedStatements[name];
}
