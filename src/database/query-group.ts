import type { Connection, Query, Submittable } from 'pg';

/** What node-postgres calls on a query; its types omit it. */
interface Part extends Submittable {
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

/** Fields of a node-postgres connection that its types omit. */
interface PreparingConnection extends Connection {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
}

/**
 * Several statements that are sent together and share one Sync message: one round trip, and the server skips all that
 * follow one that fails (PostgreSQL, "Pipelining"). With the driver's own pipelining, each would have its own Sync, and
 * would be executed even if START TRANSACTION before it had failed, outside of any transaction.
 *
 * To the driver it is one query; it passes what the server answers on to the statement whose turn it is. Results and
 * errors of all of them are known when the last one has ended: those that were skipped fail with the error of the one
 * before.
 *
 * What it reads of the driver is private there, and worth a quarter of the CPU time of a delivery (ADR 35);
 * `test/database/transaction-client.slow-spec.ts` fails when the driver changes it.
 */
export class QueryGroup implements Submittable {
  private readonly parts: Part[];
  /** The one that the server answers. */
  private turn = 0;

  /** @param queries with parameters or names, or of the extended protocol */
  constructor(queries: readonly Query[]) {
    this.parts = queries as unknown as Part[];
  }

  /** The driver notes by name and text what the server has prepared. */
  get name(): string | undefined {
    return this.parts[this.turn]?.name;
  }

  get text(): string | undefined {
    return this.parts[this.turn]?.text;
  }

  submit(connection: Connection): null {
    // One system call for all.
    connection.stream.cork();
    try {
      this.submitParts(connection);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.parts[this.turn]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.parts[this.turn]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.parts[this.turn]?.handleCommandComplete(message, connection);
    this.turn += 1;
  }

  handleEmptyQuery(connection: Connection): void {
    this.parts[this.turn]?.handleEmptyQuery(connection);
    this.turn += 1;
  }

  handlePortalSuspended(connection: Connection): void {
    this.parts[this.turn]?.handlePortalSuspended(connection);
  }

  handleCopyInResponse(connection: Connection): void {
    this.parts[this.turn]?.handleCopyInResponse(connection);
  }

  handleCopyData(message: unknown, connection: Connection): void {
    this.parts[this.turn]?.handleCopyData(message, connection);
  }

  /** Of the server, or of a connection that was lost. */
  handleError(error: Error, connection: Connection): void {
    this.failFrom(this.turn, error, connection);
    this.handleReadyForQuery(connection);
  }

  handleReadyForQuery(connection: Connection): void {
    for (const part of this.parts.splice(0)) part.handleReadyForQuery(connection);
  }

  private submitParts(connection: Connection): void {
    const unsynced = Object.create(connection, { sync: { value: () => undefined } }) as Connection;
    for (const [place, part] of this.parts.entries()) {
      let failure: Error | undefined;
      const passOn = part.handleError.bind(part);
      // A value that cannot be sent.
      part.handleError = (error, on) => {
        failure = error;
        passOn(error, on);
      };
      const refusal = part.submit(unsynced);
      part.handleError = passOn;
      if (refusal) passOn(refusal, connection);
      failure ??= refusal ?? undefined;
      if (failure) {
        // The driver has told the server to close it, but still counts it as prepared.
        if (part.name !== undefined) delete (connection as PreparingConnection).parsedStatements[part.name];
        forget(part, connection);
        this.parts.splice(place, 1);
        this.failFrom(place, failure, connection);
        return;
      }
    }
  }

  /** The statements from there on were not executed, nor prepared. */
  private failFrom(place: number, error: Error, connection: Connection): void {
    for (const part of this.parts.splice(place)) {
      forget(part, connection);
      part.handleError(error, connection);
    }
  }
}

/** It has to be prepared again. */
function forget({ name }: Part, connection: Connection): void {
  if (name !== undefined) delete (connection as PreparingConnection).submittedNamedStatements[name];
}
