import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../config/clock';
import { outsideRequests } from '../../database/deadline';
import { BundleCompiler } from '../compile/bundle-compiler';
import { ErrorCode, RateLimitedError, UnavailableError } from '../../errors/errors';
import { CHANGE_KINDS, type ChangeKind, type CompiledBundle, seenBy } from '../compile/compiled-bundle';
import { type Holder, Shares, sharesOf } from '../upstreams/shares';
import { type Admission, Admissions, type AdmissionQuery } from './admission';

/** Streams of this process, and who has how many of them: each costs memory, and a part of a statement twice a second. */
export const STREAM_LIMITS = sharesOf(1_024);

/** For `Retry-After`, in seconds: streams end when clients go away, which no one can foresee. */
const RETRY_AFTER_S = 10;

/** How often it is asked who may still listen, and to what: clients hear of an edit within a second. */
const LOOK_MS = 500;
/** For how long it counts that someone may listen; after that nothing of a server reaches them. */
export const SURE_MS = 5_000;
/** Servers that change at the same time are looked at together. */
const GATHER_MS = 20;

/** What a stream does. */
export interface StreamSink {
  /** A list has changed. */
  changed: (kind: ChangeKind) => void;
  /** The bundle has changed, perhaps also which servers it has. */
  moved: (bundle: CompiledBundle) => void;
  /** Nothing more will come: the process ends, or they may not listen any more. */
  end: () => void;
}

/** What the owner of a stream does with it. */
export interface StreamHandle {
  /** To be called when the client has gone. */
  readonly close: () => void;
  /**
   * Sends what a server says, if it was known within the last five seconds that the client may listen, and to what.
   * Otherwise it waits until that is known again.
   *
   * @param key of what is sent: of what waits under the same key only the newest is sent
   */
  readonly pass: (key: string, send: () => void) => void;
}

interface OpenStream {
  readonly ask: AdmissionQuery;
  readonly giveBack: () => void;
  readonly sink: StreamSink;
  /** When the credential expires; milliseconds since the epoch. */
  readonly expiresAt: number;
  bundle: CompiledBundle;
  /** What the bundle was compiled from. */
  key: string;
  /** A server of the bundle has changed. */
  isDue: boolean;
  /** What has changed is being compiled. */
  isUpdating: boolean;
  /** When the look began that has last shown what they may hear of; of `performance.now()`. */
  sureAt: number;
  /** What waits for the next one, by key: as many as the addresses that the stream follows. */
  readonly held: Map<string, () => void>;
}

/**
 * Open streams of clients that want to hear of changes. Twice a second a statement asks for all of them who may still listen,
 * and whether what their bundle is made of has changed, so every cause counts, also those that notify no one: a role, a
 * visibility, a new version of a listing. Changes of servers count at once.
 */
@Injectable()
export class ChangeStreams implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(ChangeStreams.name);
  private readonly streams = new Set<OpenStream>();
  private readonly shares = new Shares();
  private timer?: NodeJS.Timeout;
  private soon?: NodeJS.Timeout;
  private isLooking = false;
  private isEnding = false;

  constructor(
    private readonly admissions: Admissions,
    private readonly compiler: BundleCompiler,
    private readonly clock: Clock,
  ) {}

  /** How many are open in this process. */
  get count(): number {
    return this.streams.size;
  }

  onModuleInit(): void {
    this.compiler.onDrop((upstreamId) => this.note(upstreamId));
  }

  /** So that no stream keeps the process from ending; clients connect to another one. */
  beforeApplicationShutdown(): void {
    this.isEnding = true;
    for (const stream of [...this.streams]) this.finish(stream);
  }

  /**
   * @param bundle what the client has seen, or will see
   * @throws RateLimitedError, UnavailableError if there are too many
   */
  open(ask: AdmissionQuery, admission: Admission, bundle: CompiledBundle, sink: StreamSink): StreamHandle {
    const { target, expiresAt } = admission;
    if (this.isEnding) throw unavailable('This process is about to end.', 1);
    this.requireRoom(admission);
    const stream: OpenStream = {
      ...{ ask, sink, expiresAt, bundle },
      giveBack: this.shares.take(admission),
      key: target.key,
      isDue: false,
      isUpdating: false,
      sureAt: performance.now(),
      held: new Map(),
    };
    this.streams.add(stream);
    this.timer ??= outsideRequests(() => setInterval(() => void this.look(), LOOK_MS).unref());
    return {
      close: () => this.remove(stream),
      pass: (key, send) => {
        if (performance.now() - stream.sureAt <= SURE_MS) send();
        else if (this.streams.has(stream)) stream.held.set(key, send);
      },
    };
  }

  private requireRoom(holder: Holder): void {
    const refusal = this.shares.refusal(holder, STREAM_LIMITS);
    if (refusal === undefined) return;
    if (refusal === 'process') throw unavailable('Too many streams are open here.', RETRY_AFTER_S);
    const detail = {
      principal: `You can have ${STREAM_LIMITS.principal} streams open at once.`,
      owner: `All access tokens of a person or an organisation can have ${STREAM_LIMITS.owner} streams open at once.`,
    }[refusal];
    throw new RateLimitedError(detail, RETRY_AFTER_S, { name: 'mcp-streams', quota: STREAM_LIMITS[refusal] });
  }

  private note(upstreamId: string | undefined): void {
    for (const stream of this.streams) {
      const { entries } = stream.bundle;
      stream.isDue ||= upstreamId === undefined || entries.some(({ upstream }) => upstream?.id === upstreamId);
    }
    if (this.streams.size > 0)
      this.soon ??= outsideRequests(() => setTimeout(() => void this.look(), GATHER_MS).unref());
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    clearTimeout(this.soon);
    this.soon = undefined;
    const began = performance.now();
    try {
      const streams = [...this.streams];
      for (const { bundle } of streams) this.compiler.noteUse(bundle);
      const admissions = await this.admissions.again(streams.map(({ ask }) => ask));
      // Not waited for: streams that must end do so at once, however long another bundle takes to compile.
      streams.forEach((stream, index) => void this.update(stream, admissions[index], began));
    } catch (error) {
      // The database cannot be reached. Streams stay open: no changes of lists are sent meanwhile, and after 5 s nothing at all.
      this.endExpired();
      this.logger.debug(`Open streams could not be checked: ${String(error)}`);
    } finally {
      this.isLooking = false;
    }
  }

  private endExpired(): void {
    const now = this.clock.now().getTime();
    for (const stream of [...this.streams]) if (stream.expiresAt <= now) this.finish(stream);
  }

  /** @param began when the look did */
  private async update(stream: OpenStream, admission: Admission | undefined, began: number): Promise<void> {
    if (!admission) return this.finish(stream);
    const { target } = admission;
    if (stream.isUpdating) return;
    if (!stream.isDue && stream.key === target.key) return this.confirm(stream, began);
    stream.isUpdating = true;
    stream.isDue = false;
    try {
      const before = stream.bundle;
      const bundle = await this.compiler.compile(seenBy(target, before.client));
      stream.bundle = bundle;
      stream.key = target.key;
      if (!this.streams.has(stream)) return;
      if (bundle !== before) {
        stream.sink.moved(bundle);
        for (const kind of CHANGE_KINDS) if (bundle.digests[kind] !== before.digests[kind]) stream.sink.changed(kind);
      }
      this.confirm(stream, began);
    } catch (error) {
      // The next look tries again.
      stream.isDue = true;
      this.logger.debug(`A stream could not be updated: ${String(error)}`);
    } finally {
      stream.isUpdating = false;
    }
  }

  /** It is known what they may hear of, and `moved` has ended what they may not. */
  private confirm(stream: OpenStream, began: number): void {
    stream.sureAt = began;
    for (const send of stream.held.values()) send();
    stream.held.clear();
  }

  private finish(stream: OpenStream): void {
    this.remove(stream);
    stream.sink.end();
  }

  private remove(stream: OpenStream): void {
    if (this.streams.delete(stream)) stream.giveBack();
    stream.held.clear();
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    clearTimeout(this.soon);
    this.timer = this.soon = undefined;
  }
}

function unavailable(detail: string, seconds: number): UnavailableError {
  return new UnavailableError(ErrorCode.ServiceUnavailable, `${detail} Try again in ${seconds} s.`, seconds);
}
