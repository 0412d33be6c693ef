import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { outsideRequests } from '../../database/deadline';
import { messageOf } from '../../errors/message-of';
import { CallCounters } from './call-counters';
import { CallStore } from './call-store';
import type { CallRow } from './call-writes.sql';
import { Ring } from './ring';

/** How long a row waits for others. With the time that writing takes, a crash loses less than the last second. */
const WAIT_MS = 300;
/** Rows of one statement. */
const MAX_AT_ONCE = 500;
/** Rows that wait in this process, of about 1 kB each. At 500 calls a second that is 40 s without a database. */
const MAX_WAITING = 20_000;
/** Calls that wait for their rows to be written before they go on. */
const MAX_AHEAD = 2_000;
/** Until a group is written again that could not be. */
const RETRY_MS = 1_000;
/** How often the log says that rows are lost. */
const COMPLAIN_MS = 10_000;

/** A row that a call waits for before it goes on. */
interface AwaitedRow {
  readonly row: CallRow;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Writes the record in groups, so that no call costs a statement of its own. */
@Injectable()
export class CallWriter implements OnApplicationShutdown {
  private readonly logger = new Logger(CallWriter.name);
  private readonly ring = new Ring<CallRow>(MAX_WAITING);
  /** Taken from the ring, and perhaps written already. */
  private group: readonly CallRow[] = [];
  private ahead: AwaitedRow[] = [];
  private timer?: NodeJS.Timeout;
  private draining?: Promise<void>;
  private isWritingAhead = false;
  private isFailing = false;
  private lostSince = 0;
  private complainedAt = -Infinity;

  constructor(
    private readonly store: CallStore,
    private readonly counters: CallCounters,
  ) {
    counters.showWaiting(() => this.waiting);
  }

  /** How many rows wait. */
  get waiting(): number {
    return this.ring.size + this.group.length;
  }

  /** After requests have ended, and before connections are closed. */
  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.draining;
    await this.drain();
    clearTimeout(this.timer);
    this.lose(this.group.length + this.ring.take(MAX_WAITING).length, 'the process ends');
  }

  /** Writes a row soon. */
  add(row: CallRow): void {
    if (this.ring.push(row)) this.lose(1, 'the database is too slow, or away');
    if (this.ring.size >= MAX_AT_ONCE && !this.isFailing) void this.drain();
    else this.drainIn(WAIT_MS);
  }

  /**
   * Writes a row now, together with those of other calls.
   *
   * @throws what the driver throws; Error if too many wait
   */
  write(row: CallRow): Promise<void> {
    if (this.ahead.length >= MAX_AHEAD) return Promise.reject(new Error('too many rows wait for the database'));
    return new Promise((resolve, reject) => {
      this.ahead.push({ row, resolve, reject });
      if (!this.isWritingAhead) outsideRequests(() => void this.writeAhead());
    });
  }

  /** Rows that come while one group is written are the next group. */
  private async writeAhead(): Promise<void> {
    this.isWritingAhead = true;
    // What begins in the same turn goes along.
    await Promise.resolve();
    while (this.ahead.length > 0) {
      const group = this.ahead.splice(0, MAX_AT_ONCE);
      try {
        const refused = new Set(await this.store.write(group.map(({ row }) => row)));
        this.counters.written(group.length - refused.size);
        for (const { row, resolve, reject } of group)
          if (refused.has(row)) reject(new Error('PostgreSQL has refused the row'));
          else resolve();
      } catch (error) {
        for (const { reject } of group) reject(error as Error);
      }
    }
    this.isWritingAhead = false;
  }

  private drainIn(milliseconds: number): void {
    if (this.timer !== undefined || this.draining) return;
    // A request only wakes it up.
    outsideRequests(() => (this.timer = setTimeout(() => void this.drain(), milliseconds).unref()));
  }

  private drain(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.draining ??= outsideRequests(() => this.writeAll()).finally(() => {
      this.draining = undefined;
      if (this.waiting > 0) this.drainIn(this.isFailing ? RETRY_MS : WAIT_MS);
    });
    return this.draining;
  }

  private async writeAll(): Promise<void> {
    for (;;) {
      if (this.group.length === 0) this.group = this.ring.take(MAX_AT_ONCE);
      if (this.group.length === 0) return;
      try {
        const refused = await this.store.write(this.group);
        this.counters.written(this.group.length - refused.length);
        this.lose(refused.length, 'PostgreSQL has refused them');
        this.group = [];
        if (this.isFailing) this.recover();
      } catch (error) {
        if (!this.isFailing) this.logger.warn(`The record of calls is not written: ${messageOf(error)}`);
        this.isFailing = true;
        return;
      }
    }
  }

  private recover(): void {
    const lost = this.lostSince === 0 ? '' : ` Rows that were lost since the last complaint: ${this.lostSince}.`;
    this.logger.log(`The record of calls is written again.${lost}`);
    this.isFailing = false;
    this.lostSince = 0;
  }

  private lose(count: number, why: string): void {
    if (count === 0) return;
    this.counters.lost(count);
    this.lostSince += count;
    const now = performance.now();
    if (now - this.complainedAt < COMPLAIN_MS) return;
    this.logger.error(`The record of calls has lost rows (${this.lostSince}): ${why}.`);
    this.complainedAt = now;
    this.lostSince = 0;
  }
}
