import type { Connection } from './connection';

/** The connections that wait for a next request. */
export class Connections {
  private readonly byOrigin = new Map<string, Connection[]>();
  /** In the order in which they became idle. */
  private readonly all = new Set<Connection>();

  /** @param most when there are more, those that have been idle for longest are closed */
  constructor(private readonly most: number) {}

  /** @returns the one that was used last, which is the least likely to be closed by the other side */
  take(origin: string): Connection | undefined {
    for (;;) {
      const connection = this.byOrigin.get(origin)?.at(-1);
      if (!connection) return undefined;
      this.forget(connection);
      if (connection.isUsable) return connection;
      connection.destroy();
    }
  }

  /** Takes back a connection whose answer has ended, or closes it. */
  keep(connection: Connection): void {
    if (!connection.isUsable) return connection.destroy();
    const idle = this.byOrigin.get(connection.origin);
    if (idle) idle.push(connection);
    else this.byOrigin.set(connection.origin, [connection]);
    this.all.add(connection);
    if (this.all.size <= this.most) return;
    const [oldest] = this.all;
    if (oldest) {
      this.forget(oldest);
      oldest.destroy();
    }
  }

  /** Is told of every connection that is closed, by whomever. */
  forget(connection: Connection): void {
    if (!this.all.delete(connection)) return;
    const idle = this.byOrigin.get(connection.origin) ?? [];
    idle.splice(idle.lastIndexOf(connection), 1);
    if (idle.length === 0) this.byOrigin.delete(connection.origin);
  }

  /** Closes all that are idle. */
  close(): void {
    for (const connection of [...this.all]) {
      this.forget(connection);
      connection.destroy();
    }
  }
}
