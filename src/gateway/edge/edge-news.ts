import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Notifications } from '../../database/notifications';
import { execute } from '../../database/statements';

const CHANNEL = 'toolyard_mcp';
/** PostgreSQL takes less than 8,000 bytes. */
const MAX_PAYLOAD_LENGTH = 7_900;

const TELL = `SELECT pg_notify($1, $2)`;

/** What a client of the legacy era does at one process and another one has to know. */
export const NEWS = {
  /** A session has ended: its key, its principal. */
  ended: 'ended',
  /** A request was cancelled: its key. */
  cancelled: 'cancelled',
  /** A session wants to hear of a resource, or no longer: its key, its principal, `+` or `-`, the address. */
  subscription: 'subscription',
  /** A session wants log messages of another level: its key, its principal, the level. */
  level: 'level',
  /** An answer of a client is in the database: its key. */
  answered: 'answered',
} as const;
type Kind = keyof typeof NEWS;
type Listener = (...values: string[]) => void;

/**
 * Carries what clients with sessions do to all processes, by PostgreSQL's NOTIFY: nothing is stored, and no request has to
 * reach a certain process. A process that does not listen at that moment misses it, and then the client begins again.
 */
@Injectable()
export class EdgeNews {
  private readonly logger = new Logger(EdgeNews.name);
  private readonly listeners = new Map<string, Listener[]>();
  private readonly gapListeners: (() => void)[] = [];

  constructor(
    private readonly dataSource: DataSource,
    notifications: Notifications,
  ) {
    notifications.listen(CHANNEL, (payload) => this.hear(payload));
  }

  /** Must be called before the application has started. */
  on(kind: Kind, listener: Listener): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  /** Calls `listener` when this process hears again after it may have missed something. Likewise. */
  onGap(listener: () => void): void {
    this.gapListeners.push(listener);
  }

  /**
   * Here at once, at all other processes within milliseconds.
   *
   * @returns false if it is too long to be carried; then nothing has happened
   */
  async tell(kind: Kind, ...values: string[]): Promise<boolean> {
    const payload = JSON.stringify([kind, ...values]);
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_LENGTH) return false;
    this.pass(kind, values);
    await execute(this.dataSource, TELL, [CHANNEL, payload]);
    return true;
  }

  private hear(payload: string | undefined): void {
    // Undefined after a lost connection: what was missed is not known to anyone.
    if (payload === undefined) return this.gapListeners.forEach((listener) => listener());
    try {
      const [kind, ...values] = JSON.parse(payload) as [string, ...string[]];
      this.pass(kind, values);
    } catch (error) {
      this.logger.warn(`A notification cannot be read: ${String(error)}`);
    }
  }

  private pass(kind: string, values: readonly string[]): void {
    for (const listener of this.listeners.get(kind) ?? []) listener(...values);
  }
}

/** The key of a session, or of something in it; says nothing about them. */
export function keyOf(sessionId: string, ...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify([sessionId, ...parts]), 'base64url');
}
