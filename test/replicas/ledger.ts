import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Postgres } from './postgres';

/** For how long a change that was not acknowledged may still be carried out, by a server that was frozen. */
const MAYBE_MS = 60_000;

/** The value that the caller of one row wrote, acknowledged or not. */
interface Written {
  acknowledged: string;
  maybe: { value: string; at: number }[];
}

/**
 * What the service acknowledged: values that must be in the database, rows that must exist or be gone, and events that
 * must reach the receiver. Compared with what is there, they show what was lost.
 */
export class Ledger {
  private readonly values = new Map<string, Written>();
  private readonly existing = new Set<string>();
  private readonly deleted = new Set<string>();
  private readonly awaited = new Map<string, number>();
  private readonly server: Server;
  /** Events that came, by what makes them unique. */
  private readonly received = new Set<string>();
  /** Webhooks that came, repeated ones included. */
  receivedCount = 0;
  expectedCount = 0;

  private constructor() {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        this.receive(Buffer.concat(parts).toString());
        response.writeHead(204).end();
      });
    });
  }

  static async open(): Promise<Ledger> {
    const ledger = new Ledger();
    ledger.server.listen(0, '127.0.0.1');
    await once(ledger.server, 'listening');
    return ledger;
  }

  /** Where webhooks are to be sent. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** A row exists, with this value. */
  hasBegun(id: string, value: string): void {
    this.values.set(id, { acknowledged: value, maybe: [] });
  }

  /** A value is about to be sent: from now on it may be there. */
  sends(id: string, value: string): void {
    const written = this.values.get(id);
    written?.maybe.push({ value, at: performance.now() });
  }

  acknowledges(id: string, value: string): void {
    const written = this.values.get(id);
    if (!written) return;
    written.acknowledged = value;
    const since = performance.now() - MAYBE_MS;
    written.maybe = written.maybe.filter((one) => one.at > since && one.value !== value);
  }

  creates(id: string): void {
    this.existing.add(id);
  }

  deletes(id: string): void {
    this.existing.delete(id);
    this.deleted.add(id);
  }

  /** A deletion was not answered: the row may be there or not. */
  forgets(id: string): void {
    this.existing.delete(id);
  }

  expects(event: string): void {
    this.expectedCount += 1;
    if (!this.received.has(event)) this.awaited.set(event, performance.now());
  }

  /** Acknowledged events that have not arrived. */
  get missing(): string[] {
    return [...this.awaited.keys()];
  }

  /** What has not arrived was reported, and is not awaited any more. */
  giveUp(): void {
    this.awaited.clear();
  }

  /** @returns what differs from what was acknowledged */
  async differences(postgres: Postgres): Promise<string[]> {
    const rows = await postgres.query<{ id: string; value: string }>(
      `SELECT id, name AS value FROM bundles UNION ALL SELECT id, display_name FROM scim_users WHERE deleted_at IS NULL`,
    );
    const stored = new Map(rows.map(({ id, value }) => [id, value]));
    const lost: string[] = [];
    for (const [id, { acknowledged, maybe }] of this.values) {
      const value = stored.get(id);
      if (value !== acknowledged && !maybe.some((one) => one.value === value))
        lost.push(`${id} is ${value}, not ${acknowledged}`);
    }
    for (const id of this.existing) if (!stored.has(id)) lost.push(`${id} was created and is not there`);
    for (const id of this.deleted) if (stored.has(id)) lost.push(`${id} was deleted and is still there`);
    return lost;
  }

  private receive(body: string): void {
    this.receivedCount += 1;
    const { type, data } = JSON.parse(body) as { type: string; data: { bundle_id?: string; name?: string } };
    const event = type === 'bundle.updated' ? `updated ${data.name}` : `${type} ${data.bundle_id}`;
    this.received.add(event);
    this.awaited.delete(event);
  }
}
