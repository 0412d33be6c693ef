import { randomBytes } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { outsideRequests } from '../../database/deadline';
import { MIN_ID } from '../../database/id';
import { execute, many } from '../../database/statements';
import { messageOf } from '../../errors/message-of';
import type { JsonObject } from '../protocol/json-rpc';
import { isListChange } from './upstream-listing';
import { BackoffThrottle } from './backoff-throttle';
import { type AddressRow, OWN_PRINCIPAL, type Upstream, upstreamOf } from './upstream';
import { UpstreamLimits } from './upstream-limits';
import { NotificationStreams } from './notification-streams';
import type { UpstreamSession } from './upstream-session.entity';
import { END_LISTENING, LEASE_LISTENING } from './upstream-sessions.sql';
import { LISTENABLE, MAKE_DUE } from './upstreams.sql';

/** Leases end after 30 s. */
const LOOK_MS = 5_000;
/** However often an upstream says that its lists have changed, they are read once a second, and less often if it goes on. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** A stream of this process. */
interface Listener {
  readonly end: AbortController;
  readonly done: Promise<void>;
}

/**
 * Listens to upstreams in use that can say when their lists change, and has these read again then. Each upstream is listened
 * to by one worker, which holds a lease in the database; when it dies, another one takes its place.
 */
@Injectable()
export class UpstreamListeners implements BeforeApplicationShutdown {
  private readonly logger = new Logger(UpstreamListeners.name);
  /** What identifies this process in the leases. */
  private readonly self = randomBytes(16);
  private readonly listeners = new Map<string, Listener>();
  private readonly isWorker: boolean;
  private turn?: Promise<void>;
  private isEnding = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly streams: NotificationStreams,
    private readonly limits: UpstreamLimits,
    { run }: Environment,
  ) {
    this.isWorker = run.has('worker');
  }

  /** How many upstreams this process listens to. */
  get count(): number {
    return this.listeners.size;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    await this.turn;
    await this.end([...this.listeners.keys()]);
  }

  /** Renews the leases, and begins and ends listening where upstreams have come into use or gone out of it. */
  @Interval('listening to upstreams', LOOK_MS)
  async look(): Promise<void> {
    if (!this.isWorker || this.isEnding) return;
    this.turn ??= outsideRequests(() => this.takeTurn())
      .catch((error: unknown) => this.logger.debug(`Leases were not renewed: ${messageOf(error)}`))
      .finally(() => (this.turn = undefined));
    await this.turn;
  }

  private async takeTurn(): Promise<void> {
    const own = [OWN_PRINCIPAL, MIN_ID, Buffer.alloc(0), this.self];
    const wanted = await many<AddressRow>(this.dataSource, LISTENABLE, [this.limits.listeners, ...own]);
    const leased = await many<Pick<Columns<UpstreamSession>, 'upstream_id'>>(this.dataSource, LEASE_LISTENING, [
      ...own,
      wanted.map(({ id }) => id),
    ]);
    const ours = new Set(leased.map(({ upstream_id }) => upstream_id));
    await this.end([...this.listeners.keys()].filter((id) => !ours.has(id)));
    for (const upstream of wanted)
      if (ours.has(upstream.id) && !this.listeners.has(upstream.id)) this.begin(upstreamOf(upstream));
  }

  private begin(upstream: Upstream): void {
    const end = new AbortController();
    const changed = new BackoffThrottle(MIN_PAUSE_MS, MAX_PAUSE_MS, () => this.makeDue(upstream.id));
    const request = {
      upstream,
      preferred: 'modern' as const,
      capabilities: {},
      lists: true,
      uris: [],
      signal: end.signal,
      onMessage: (message: JsonObject) => {
        if (isListChange(message)) changed.call();
      },
    };
    const done = this.streams.keep(undefined, request, () => changed.call()).finally(() => changed.stop());
    this.listeners.set(upstream.id, { end, done });
  }

  private async end(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const ending = ids.flatMap((id) => this.listeners.get(id) ?? []);
    for (const id of ids) this.listeners.delete(id);
    for (const { end } of ending) end.abort(new Error('Nobody listens any more.'));
    await Promise.all(ending.map(({ done }) => done));
    const lease = [OWN_PRINCIPAL, MIN_ID, Buffer.alloc(0), this.self, ids];
    await execute(this.dataSource, END_LISTENING, lease).catch((error: unknown) =>
      this.logger.debug(`Leases end by themselves: ${messageOf(error)}`),
    );
  }

  /** A worker reads it at once, which may be this one. What fails is made up for by the next refresh. */
  private makeDue(upstreamId: string): void {
    execute(this.dataSource, MAKE_DUE, [upstreamId]).catch((error: unknown) =>
      this.logger.debug(`A change of lists was not noted: ${messageOf(error)}`),
    );
  }
}
