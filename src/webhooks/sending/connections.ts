import type { Connection } from './connection';

/** The idle connections. */
export class Connections {
  private readonly byOrigin = new Map<string, Connection[]>();
  /** All idle connections, in the order in which they became idle. */
  private readonly idleConnections = new Set<Connection>();

  /** @param max if there are more, those that have been idle longest are closed */
  constructor(private readonly max: number) {}

  /** @returns the one used most recently, which the receiver is least likely to have closed */
  take(origin: string): Connection | undefined {
    for (;;) {
      const connection = this.byOrigin.get(origin)?.at(-1);
      if (!connection) return undefined;
      this.forget(connection);
      if (connection.isUsable) return connection;
      connection.destroy();
    }
  }

  /** Keeps a connection after a complete response, or closes it. */
  keep(connection: Connection): void {
    if (!connection.isUsable) return connection.destroy();
    const idle = this.byOrigin.get(connection.origin);
    if (idle) idle.push(connection);
    else this.byOrigin.set(connection.origin, [connection]);
    this.idleConnections.add(connection);
    if (this.idleConnections.size <= this.max) return;
    const [oldest] = this.idleConnections;
    if (oldest) {
      this.forget(oldest);
      oldest.destroy();
    }
  }

  /** Must be called for every closed connection, whichever side closed it. */
  forget(connection: Connection): void {
    if (!this.idleConnections.delete(connection)) return;
    const idle = this.byOrigin.get(connection.origin) ?? [];
    idle.splice(idle.lastIndexOf(connection), 1);
    if (idle.length === 0) this.byOrigin.delete(connection.origin);
  }

  /** Closes all idle connections. */
  close(): void {
    for (const connection of [...this.idleConnections]) {
      this.forget(connection);
      connection.destroy();
    }
  }
}
