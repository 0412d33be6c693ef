import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Columns } from '../../database/columns';
import { execute, maybe } from '../../database/statements';
import {
  type Era,
  isLegacy,
  isModern,
  type LegacyRevision,
  MODERN_REVISIONS,
  type ModernRevision,
} from '../protocol/revisions';
import { failureOfRevision, modernVerdict, type Verdict } from './era-verdict';
import { modernHop } from './hop-message';
import { SingleFlights } from './single-flights';
import type { Upstream } from './upstream';
import type { UpstreamRow } from './upstream.entity';
import { failureOfStatus, UpstreamFailure } from '../protocol/upstream-failure';
import { OWN_INFO, UpstreamWire } from './upstream-wire';
import { ERAS, FORGET_REFUSALS, NOTE_LEGACY, NOTE_MODERN, NOTE_ONLY_ERA } from './upstreams.sql';

/** The same in `NOTE_MODERN`, which makes some shorter. */
const VERDICT_MS = 24 * 3_600_000;
/** How long this process goes without looking at what others have found out. */
const MEMORY_MS = 60_000;
const MAX_KNOWN = 10_000;
/** Statuses after which nothing else is tried: the other era would be refused for the same reason. */
const REFUSALS: readonly (number | undefined)[] = [401, 403, 429];

/** An upstream does not speak the era in which it was asked. The request has not run. */
export class NotOfEraError extends Error {
  /** @param sight what was seen instead (`sightOf`), if it was asked just now */
  constructor(
    readonly era: Era,
    readonly sight?: string,
  ) {
    super(`The upstream does not speak the ${era} era.`);
    this.name = 'NotOfEraError';
  }
}

/** Verdicts: a revision; null: it does not speak the era; undefined: not known, or not known for long enough. */
interface EraVerdicts {
  modern: Verdict<ModernRevision>;
  legacy: Verdict<LegacyRevision>;
  /** The era in which alone it lists something, though it may speak both: nothing else could be called. */
  only: Era | undefined;
}

/** In which era to ask; a revision of the legacy era is only known after the handshake. */
export type EraChoice = { readonly era: 'modern'; readonly revision: ModernRevision } | { readonly era: 'legacy' };

type EraRow = Pick<Columns<UpstreamRow>, 'modern' | 'modern_at' | 'legacy' | 'legacy_at' | 'only_era'>;

/**
 * Which eras upstreams speak: found out when it first matters, kept in the database for 24 hours, and corrected by what
 * upstreams answer later (MCP 2026-07-28, versioning, "Backward Compatibility").
 */
@Injectable()
export class UpstreamEras {
  private readonly memory = new LRUCache<string, EraVerdicts>({ max: MAX_KNOWN, ttl: MEMORY_MS });
  private readonly probes = new SingleFlights<ModernRevision | null>();
  /** These ask even where a verdict is known. */
  private readonly doubts = new SingleFlights<ModernRevision | null>();
  /** Upstreams whose verdict was doubted in the last minute. */
  private readonly doubted = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: MEMORY_MS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly wire: UpstreamWire,
  ) {}

  /**
   * @param preferred the era of the client: what it says needs no translation then
   * @param refused eras that this request has shown to be wrong, with what was seen instead (`sightOf`)
   * @throws UpstreamFailure if it speaks none, or does not answer; the reason of the signal
   */
  async choose(
    upstream: Upstream,
    preferred: Era,
    signal: AbortSignal,
    refused: ReadonlyMap<Era, string | undefined> = new Map(),
  ): Promise<EraChoice> {
    const known = this.memory.get(upstream.id) ?? (await this.of(upstream.id));
    const first = known.only ?? preferred;
    const order: Era[] = first === 'modern' ? ['modern', 'legacy'] : ['legacy', 'modern'];
    let failure: UpstreamFailure | undefined;
    for (const era of order) {
      if (refused.has(era) || known[era] === null) continue;
      // The handshake says whether it speaks the era.
      if (era === 'legacy') return { era };
      try {
        const revision = known.modern ?? (await this.find(upstream, signal));
        if (revision !== null) return { era, revision };
      } catch (error) {
        if (!(error instanceof UpstreamFailure) || isFinal(error)) throw error;
        failure = error;
      }
    }
    throw failure ?? failureOfRevision([...refused.values()]);
  }

  /** @returns what is known */
  async of(upstreamId: string): Promise<EraVerdicts> {
    const remembered = this.memory.get(upstreamId);
    if (remembered) return remembered;
    const row = await maybe<EraRow>(this.dataSource, ERAS, [upstreamId]);
    const now = this.clock.now().getTime();
    const isFresh = (at: Date | null) => at !== null && now - at.getTime() < VERDICT_MS;
    const modern = isFresh(row?.modern_at ?? null) ? row?.modern : undefined;
    const legacy = isFresh(row?.legacy_at ?? null) ? row?.legacy : undefined;
    const known: EraVerdicts = {
      modern: typeof modern === 'string' ? (isModern(modern) ? modern : null) : undefined,
      legacy: typeof legacy === 'string' ? (isLegacy(legacy) ? legacy : null) : undefined,
      only: row?.only_era ?? undefined,
    };
    // One of two refusals is wrong: the next refresh asks again.
    if (known.modern !== null || known.legacy !== null) this.memory.set(upstreamId, known);
    return known;
  }

  /** Keeps a verdict. */
  async noteModern(upstreamId: string, verdict: ModernRevision | null): Promise<void> {
    await execute(this.dataSource, NOTE_MODERN, [upstreamId, verdict ?? '']);
    this.memory.delete(upstreamId);
  }

  /** Keeps a verdict. */
  async noteLegacy(upstreamId: string, verdict: LegacyRevision | null): Promise<void> {
    await execute(this.dataSource, NOTE_LEGACY, [upstreamId, verdict ?? '']);
    this.memory.delete(upstreamId);
  }

  /** Keeps in which era alone an upstream lists something; null: in every one that it speaks, as far as that is known. */
  async noteOnly(upstreamId: string, era: Era | null): Promise<void> {
    if ((await execute(this.dataSource, NOTE_ONLY_ERA, [upstreamId, era])) > 0) this.memory.delete(upstreamId);
  }

  /** Forgets which eras upstreams do not speak: they may have learnt one since. */
  async forgetRefusals(upstreamIds: readonly string[]): Promise<void> {
    await execute(this.dataSource, FORGET_REFUSALS, [upstreamIds]);
    for (const id of upstreamIds) this.memory.delete(id);
  }

  /**
   * After an answer that only an upstream of the other era would give: asks again what it speaks, at most once a minute.
   *
   * @returns whether it does not speak the modern era any more
   */
  async isNoLongerModern(upstream: Upstream, signal: AbortSignal): Promise<boolean> {
    if (this.doubted.has(upstream.id)) {
      this.memory.delete(upstream.id);
      return (await this.of(upstream.id)).modern === null;
    }
    this.doubted.set(upstream.id, true);
    // No answer says nothing about eras.
    const answer = this.doubts.join(upstream.id, signal, () => this.ask(upstream));
    return (await answer.catch(() => undefined)) === null;
  }

  /** @throws UpstreamFailure if the answer says nothing about the era; the reason of the signal */
  private find(upstream: Upstream, signal: AbortSignal): Promise<ModernRevision | null> {
    return this.probes.join(upstream.id, signal, async () => {
      // It may have been found out since it was read, here or by another process.
      this.memory.delete(upstream.id);
      const { modern } = await this.of(upstream.id);
      return modern === undefined ? this.ask(upstream) : modern;
    });
  }

  private async ask(upstream: Upstream): Promise<ModernRevision | null> {
    const [revision] = MODERN_REVISIONS;
    const answer = await this.wire.ask(upstream, discoverHop(revision), new AbortController().signal);
    const verdict = modernVerdict(answer, revision);
    if (verdict === undefined) throw failureOfStatus(answer.status, answer.challenge);
    await this.noteModern(upstream.id, verdict);
    return verdict;
  }
}

/** `server/discover`, as this service asks for itself. */
export function discoverHop(revision: ModernRevision) {
  const client = { revision, capabilities: {}, info: undefined, logLevel: undefined };
  return modernHop({ id: randomUUID(), method: 'server/discover', params: {} }, client, OWN_INFO);
}

function isFinal({ code, status }: UpstreamFailure): boolean {
  return code === 'upstream_unreachable' || REFUSALS.includes(status);
}
