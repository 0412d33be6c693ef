import { once } from 'node:events';
import { AddressInfo, createServer, Server, Socket } from 'node:net';

/** Stands between an application and its PostgreSQL; can go away, or fall silent without closing a connection. */
export class DatabaseProxy {
  private readonly pairs = new Set<{ near: Socket; far: Socket; isListener: boolean }>();
  private readonly silenced = new Set<Socket>();
  private isFrozen = false;
  private readonly port: number;

  private constructor(
    private readonly server: Server,
    private target: URL,
  ) {
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.join(near));
  }

  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DatabaseProxy(server, new URL(databaseUrl));
  }

  /** The same database, by way of this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.toString();
  }

  /** New connections go to another server from now on, as when a database has come back elsewhere. */
  aimAt(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
  }

  /**
   * From now on nothing passes on the connections that are open, as when a firewall has forgotten them.
   *
   * @param which all of them, or only those on which notifications arrive
   */
  silence(which: 'all' | 'listeners'): number {
    const pairs = [...this.pairs].filter(({ isListener }) => which === 'all' || isListener);
    for (const { near, far } of pairs) this.silenced.add(near).add(far);
    return pairs.length;
  }

  /** From now on nothing passes, on new connections neither, as when PostgreSQL is stopped: it waits until `thaw`. */
  freeze(): void {
    this.isFrozen = true;
    for (const { near, far } of this.pairs) [near, far].forEach((socket) => socket.pause());
  }

  /** What has waited passes. */
  thaw(): void {
    this.isFrozen = false;
    for (const { near, far } of this.pairs) [near, far].forEach((socket) => socket.resume());
  }

  /** Breaks every connection and refuses new ones. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const { near, far } of this.pairs) {
      near.destroy();
      far.destroy();
    }
    await once(this.server, 'close');
  }

  /** Is back at the same address. */
  async reopen(): Promise<void> {
    if (this.server.listening) return;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private join(near: Socket): void {
    const far = new Socket().connect(Number(this.target.port || 5_432), this.target.hostname);
    const pair = { near, far, isListener: false };
    this.pairs.add(pair);
    // The first packet of a connection names the application.
    near.once('data', (packet) => (pair.isListener = packet.includes('toolyard listener')));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (packet) => {
        if (!this.silenced.has(from)) to.write(packet);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.pairs.delete(pair);
        to.destroy();
      });
    }
    if (this.isFrozen) [near, far].forEach((socket) => socket.pause());
  }
}
