import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';

const RECONNECT_MS = [100, 250, 500, 1_000, 2_000];
/**
 * Together well below the five seconds for which changes may go unnoticed (contract, section 5): the rest is for a busy machine,
 * and for reading again what changed.
 */
const HEARTBEAT_MS = 1_000;
const PATIENCE_MS = 2_500;
const GOODBYE_MS = 1_000;

type Listener = (payload: string | undefined) => void;

/**
 * Notifies replicas of changes, by PostgreSQL's LISTEN/NOTIFY on a dedicated connection. A notification only says
 * *that* something changed: listeners read it again. After a lost connection every listener is called once, since a
 * notification may have been missed; while it is lost, `connected` is false and listeners fall back to polling.
 */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Notifications.name);
  private readonly listeners = new Map<string, Listener[]>();
  private client?: Client;
  private timer?: NodeJS.Timeout;
  private failures = 0;
  private closed = false;

  constructor(private readonly databaseUrl: string) {}

  /** True while notifications arrive. */
  connected = false;

  /**
   * Calls `onNews` for every notification on `channel`. Must be called before the application has started.
   *
   * @param channel a plain identifier
   * @param onNews receives the payload; undefined after a lost connection
   */
  listen(channel: string, onNews: Listener): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), onNews]);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    // A peer that has vanished does not answer the closing message either.
    await Promise.race([this.client?.end().catch(() => undefined), sleep(GOODBYE_MS, undefined, { ref: false })]);
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.databaseUrl,
      application_name: 'toolyard listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: PATIENCE_MS,
    });
    this.client = client;
    client.on('notification', ({ channel, payload }) =>
      this.listeners.get(channel)?.forEach((onNews) => onNews(payload)),
    );
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      for (const channel of this.listeners.keys()) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      this.lost(client, error);
      return;
    }
    if (this.client !== client) return;
    if (this.failures > 0) this.logger.log('Database notifications resumed.');
    this.failures = 0;
    this.connected = true;
    for (const listeners of this.listeners.values()) listeners.forEach((onNews) => onNews(undefined));
    this.timer = setTimeout(() => void this.heartbeat(client), HEARTBEAT_MS).unref();
  }

  /** A connection whose peer vanished silently looks alive until something is sent on it. */
  private async heartbeat(client: Client): Promise<void> {
    try {
      await client.query('SELECT 1');
      if (this.client === client) this.timer = setTimeout(() => void this.heartbeat(client), HEARTBEAT_MS).unref();
    } catch (error) {
      this.lost(client, error);
    }
  }

  private lost(client: Client, error?: unknown): void {
    if (this.client !== client || this.closed) return;
    this.client = undefined;
    this.connected = false;
    clearTimeout(this.timer);
    client.removeAllListeners('end');
    client.end().catch(() => undefined);
    if (this.failures === 0) {
      this.logger.warn(`Notifications are lost${error instanceof Error ? ` (${error.message})` : ''}; reconnecting.`);
    }
    const delay = RECONNECT_MS[Math.min(this.failures, RECONNECT_MS.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => void this.connect(), delay).unref();
  }
}
