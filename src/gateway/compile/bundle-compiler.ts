import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Notifications } from '../../database/notifications';
import { outsideRequests, withinDatabaseDeadline } from '../../database/deadline';
import type { UpstreamState } from '../upstream/upstream';
import { Upstreams } from '../upstream/upstreams.service';
import { compileBundle } from './compile-bundle';
import { type CompiledBundle, type CompileTarget, isReachable, type Problem } from './compiled-bundle';
import { EndpointAliases } from './endpoint-aliases';
import { EndpointUpstreams } from './endpoint-upstreams';
import { EntrySources, type EntrySource } from './entry-sources';

/** For compiled bundles in this process; bytes. */
const MOST_BYTES = 67_108_864;
/** How long one is kept while this process does not hear of changes. */
const UNHEARD_MS = 1_000;
/** How long the first request to a new server waits for its first lists. It is asked once, not with each request. */
const FIRST_LISTS_MS = 2_000;

/** A target, and what of its bundle the compiled one depends on. */
export interface KeyedTarget extends CompileTarget {
  /** Changes with everything that changes the compiled bundle, except what servers say of themselves. */
  readonly key: string;
}

interface Kept {
  readonly bundle: CompiledBundle;
  /** Of `performance.now()`. */
  readonly at: number;
}

/**
 * Compiles bundles, and keeps the results in memory: by what they depend on, so that a request only has to know that. They
 * are dropped as soon as a server that they have changes its lists, in whatever process that was found out.
 */
@Injectable()
export class BundleCompiler implements OnModuleInit {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bundle }, key) => bundle.bytes + key.length,
  });
  private readonly pending = new Map<string, Promise<CompiledBundle>>();
  /** What has changed since each compilation that is running now began; undefined among them: anything may have. */
  private readonly running = new Set<Set<string | undefined>>();
  private readonly listeners: ((upstreamId: string | undefined) => void)[] = [];

  constructor(
    private readonly sources: EntrySources,
    private readonly aliases: EndpointAliases,
    private readonly outages: EndpointUpstreams,
    private readonly upstreams: Upstreams,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.upstreams.onChange((upstreamId) => this.drop(upstreamId));
  }

  /** Whether this process hears of changes at once. */
  get isListening(): boolean {
    return this.notifications.connected;
  }

  /**
   * Calls `onDrop` after a server has changed its lists, when the next `compile` will see them.
   *
   * @param onDrop receives the id of the server; undefined: any may have changed
   */
  onDrop(onDrop: (upstreamId: string | undefined) => void): void {
    this.listeners.push(onDrop);
  }

  /** Concurrent calls for the same share one compilation. @throws what the database throws */
  async compile(target: KeyedTarget): Promise<CompiledBundle> {
    const known = this.recall(target.key);
    if (known) return known;
    let compilation = this.pending.get(target.key);
    if (!compilation) {
      // Of all who wait for it, so it does not end with the time of the first.
      compilation = outsideRequests(() => this.keep(target)).finally(() => this.pending.delete(target.key));
      this.pending.set(target.key, compilation);
    }
    await withinDatabaseDeadline(compilation);
    return compilation;
  }

  /**
   * Compiles a bundle as it would be now, for a report. Nothing is kept, and no aliases are assigned.
   *
   * @param isNew whether servers that were never asked for their lists are asked now, for up to 2 s
   */
  async survey(target: CompileTarget, isNew = true): Promise<CompiledBundle> {
    return this.run(target, false, isNew);
  }

  private recall(key: string): CompiledBundle | undefined {
    const kept = this.kept.get(key);
    if (!kept) return undefined;
    if (this.notifications.connected || performance.now() - kept.at < UNHEARD_MS) return kept.bundle;
    this.kept.delete(key);
    return undefined;
  }

  private async keep(target: KeyedTarget): Promise<CompiledBundle> {
    const changes = new Set<string | undefined>();
    this.running.add(changes);
    try {
      const at = performance.now();
      const bundle = await this.run(target, true, true, changes);
      // What was read before a change may be without it.
      const isStale =
        changes.has(undefined) || bundle.entries.some(({ upstream }) => upstream && changes.has(upstream.id));
      if (!isStale) this.kept.set(target.key, { bundle, at });
      return bundle;
    } finally {
      this.running.delete(changes);
    }
  }

  /** @param changes is emptied when the lists of servers are about to be read */
  private async run(
    target: CompileTarget,
    storesAliases: boolean,
    asksNew: boolean,
    changes?: Set<string | undefined>,
  ): Promise<CompiledBundle> {
    const { sources, problems } = await this.sources.read(target);
    const aliases = await this.aliases.of(target.bundleId, sources, storesAliases);
    const states = await this.statesOf(sources, asksNew, changes);
    const entries = sources.map(({ id, key, listingName, listingVersion }) => {
      return { id, key, alias: aliases.get(id) ?? key, listingName, listingVersion, upstream: states.get(id) ?? null };
    });
    if (storesAliases && target.boundVersion === null) this.outages.note(target.bundleId, entries);
    const ids = [...new Set(entries.filter(isReachable).map(({ upstream }) => upstream.id))];
    const definitions = ids.length === 0 ? [] : await this.upstreams.definitions(ids);
    this.upstreams.noteUse(ids);
    return compileBundle(target, entries, definitions, problems satisfies readonly Problem[]);
  }

  private async statesOf(
    sources: readonly EntrySource[],
    asksNew: boolean,
    changes?: Set<string | undefined>,
  ): Promise<Map<string, UpstreamState>> {
    const reachable = sources.flatMap(({ id, upstream }) => (upstream ? [{ id, upstream }] : []));
    if (reachable.length === 0) return new Map();
    const wanted = reachable.map(({ upstream }) => upstream);
    let states = await this.upstreams.ensure(wanted);
    const neverAsked = states.filter(({ listedAt, listError }) => listedAt === null && listError === null);
    if (asksNew && neverAsked.length > 0) {
      await this.firstLists(neverAsked.map(({ id }) => id));
      changes?.clear();
      states = await this.upstreams.ensure(wanted);
    }
    return new Map(reachable.flatMap(({ id }, index) => (states[index] ? [[id, states[index]]] : [])));
  }

  /** Goes on without us if it takes longer; what it finds is a change like any other. */
  private async firstLists(ids: readonly string[]): Promise<void> {
    const refresh = this.upstreams.refresh(ids, new AbortController().signal).catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_LISTS_MS)));
    await Promise.race([refresh, patience]);
    clearTimeout(timer);
  }

  private drop(upstreamId: string | undefined): void {
    for (const changes of this.running) changes.add(upstreamId);
    if (upstreamId === undefined) this.kept.clear();
    else {
      for (const [key, { bundle }] of [...this.kept.entries()])
        if (bundle.entries.some(({ upstream }) => upstream?.id === upstreamId)) this.kept.delete(key);
    }
    for (const onDrop of this.listeners) onDrop(upstreamId);
  }
}
