import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Notifications } from '../../database/notifications';
import { outsideRequests, withinDatabaseDeadline } from '../../database/deadline';
import type { StoredDefinition, UpstreamState } from '../upstreams/upstream';
import { Upstreams } from '../upstreams/upstreams.service';
import { UpstreamLimits } from '../upstreams/upstream-limits';
import { bitOf, EVERY_SET, nearestSet, NO_CAPABILITIES } from '../protocol/capability-set';
import { OPEN_POLICY, type Policy } from '../rules/policy';
import { PrincipalPolicies } from '../rules/policy-store';
import { bundleFindings } from '../rules/bundle-findings';
import { ToolRulesReader } from '../rules/tool-rules-reader';
import { compileBundle } from './compile-bundle';
import {
  BARE_CLIENT,
  type CompiledBundle,
  type CompiledEntry,
  type CompileTarget,
  isReachable,
  type KeyedTarget,
  type ListClient,
  type Problem,
} from './compiled-bundle';
import { connectTools } from './connect-tools';
import { DefinitionSizes } from './definition-sizes';
import { EndpointAliases } from './endpoint-aliases';
import { EndpointUpstreams } from './endpoint-upstreams';
import { EntrySources, type EntrySource } from './entry-sources';
import { ConcurrencyLimit } from '../protocol/concurrency-limit';

/** For compiled bundles in this process; bytes. */
const MAX_BYTES = 67_108_864;
/** How long one is kept while this process does not hear of changes. */
const UNHEARD_MS = 1_000;
/** Definitions of one bundle, as the database has them; in memory they take a multiple for a moment. */
const MAX_DEFINITION_BYTES = 33_554_432;
/** Bundles whose definitions are in memory at once, besides those that are kept. */
const AT_ONCE = 2;
/** How often the use of servers is noted for a bundle that is used all the time. */
const NOTE_MS = 60_000;

/** The servers of a bundle as the database has them now. */
interface ServerSnapshot {
  /** By entry. */
  readonly states: ReadonlyMap<string, UpstreamState>;
  /** For which sets of capabilities the lists are, as bits, by upstream. */
  readonly sets: ReadonlyMap<string, number>;
  /** Whether nothing is to be expected that is not known yet. */
  readonly isWhole: boolean;
}

/** A bundle that was just compiled. */
interface CompilationResult {
  readonly bundle: CompiledBundle;
  /** As of `ServerSnapshot`. */
  readonly isWhole: boolean;
  readonly entriesDigest: string;
  readonly policyDigest: string;
}

/** A compilation that others may wait for, too. */
interface PendingCompilation {
  readonly target: KeyedTarget;
  readonly isListed: boolean;
  readonly compiled: Promise<CompilationResult>;
}

interface CachedBundle {
  readonly bundle: CompiledBundle;
  readonly isWhole: boolean;
  /** Of `performance.now()`. */
  readonly at: number;
}

/**
 * Compiles bundles, and keeps the results in memory: by what they depend on, so that a request only has to know that. They
 * are dropped as soon as a server that they have changes its lists, in whatever process that was found out.
 */
@Injectable()
export class BundleCompiler implements OnModuleInit {
  private readonly kept = new LRUCache<string, CachedBundle>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bundle }, key) => bundle.bytes + key.length,
  });
  private readonly pending = new Map<string, PendingCompilation>();
  private readonly concurrency = new ConcurrencyLimit(AT_ONCE);
  /** When the use of the servers of a bundle was last noted; of `performance.now()`. */
  private readonly notedAt = new WeakMap<CompiledBundle, number>();
  /** What has changed since each compilation that is running now began; undefined among them: anything may have. */
  private readonly running = new Set<Set<string | undefined>>();
  private readonly listeners: ((upstreamId: string | undefined) => void)[] = [];

  constructor(
    private readonly sources: EntrySources,
    private readonly aliases: EndpointAliases,
    private readonly outages: EndpointUpstreams,
    private readonly sizes: DefinitionSizes,
    private readonly upstreams: Upstreams,
    private readonly notifications: Notifications,
    private readonly policies: PrincipalPolicies,
    private readonly rules: ToolRulesReader,
    private readonly limits: UpstreamLimits,
  ) {}

  onModuleInit(): void {
    this.upstreams.onChange((upstreamId) => this.drop(upstreamId));
  }

  /** Whether this process hears of changes at once. */
  get isListening(): boolean {
    return this.notifications.connected;
  }

  /** What the compiled bundles that are kept take, about. */
  get keptBytes(): number {
    return this.kept.calculatedSize;
  }

  /**
   * Calls `onDrop` after a server has changed its lists, when the next `compile` will see them.
   *
   * @param onDrop receives the id of the server; undefined: any may have changed
   */
  onDrop(onDrop: (upstreamId: string | undefined) => void): void {
    this.listeners.push(onDrop);
  }

  /**
   * Concurrent calls for the same share one compilation.
   *
   * @param isListed whether lists are sent of it: then servers that were never asked with the capabilities of such a client are
   *   asked first, for up to 2 s
   * @throws what the database throws
   */
  async compile(target: KeyedTarget, isListed = true): Promise<CompiledBundle> {
    const known = this.recall(target.key, isListed);
    if (known) {
      this.noteUse(known);
      return known;
    }
    let pending = this.pending.get(target.key);
    if (!pending || (isListed && !pending.isListed)) {
      // Of all who wait for it, so it does not end with the time of the first.
      const compiled = outsideRequests(() => this.keep(target, isListed)).finally(() => {
        if (this.pending.get(target.key) === own) this.pending.delete(target.key);
      });
      const own = { target, isListed, compiled };
      pending = own;
      this.pending.set(target.key, own);
    }
    await withinDatabaseDeadline(pending.compiled);
    const compiled = await pending.compiled;
    if (isOfKey(compiled, target) || isSamePrincipal(pending.target, target)) return compiled.bundle;
    // What that person may use, or the credential that it is used with, has changed meanwhile, and what we may use is something
    // else now.
    const own = outsideRequests(() => this.keep(target, isListed));
    await withinDatabaseDeadline(own);
    return (await own).bundle;
  }

  /**
   * A client names what a bundle does not have: reads the lists of the servers that may have it by now again, each at most every
   * 30 s in this process.
   *
   * @param entries whose servers may have it
   * @returns the bundle with what was read; undefined: nothing was, or not in time
   */
  async lookAgain(target: KeyedTarget, entries: readonly CompiledEntry[]): Promise<CompiledBundle | undefined> {
    const late = AbortSignal.timeout(this.limits.firstListsMs);
    const ids = [...new Set(entries.filter(isReachable).map(({ upstream }) => upstream.id))];
    const read = await Promise.all(
      ids.map(async (id) =>
        (await this.upstreams.readSuspected(id, late, ownerOf(target)).catch(() => false)) ? [id] : [],
      ),
    );
    const looked = read.flat();
    if (looked.length === 0) return undefined;
    // Its notification may not have come yet.
    for (const id of looked) this.drop(id);
    return this.compile(target);
  }

  /** Notes that the servers of a bundle are in use, so that their lists are kept up to date. */
  noteUse(bundle: CompiledBundle): void {
    const now = performance.now();
    if (now - (this.notedAt.get(bundle) ?? -Infinity) < NOTE_MS) return;
    this.notedAt.set(bundle, now);
    const ids = bundle.entries.filter(isReachable).map(({ upstream }) => upstream.id);
    this.upstreams.noteUse(ids, bundle.client.capabilities);
  }

  /**
   * A client names what a compiled bundle does not have: waits for the first lists of its new servers, such as those of an
   * account that was connected just now.
   *
   * @returns the bundle with what they list; the same one if all have been asked
   * @throws what the database throws
   */
  async withFirstLists(target: KeyedTarget, bundle: CompiledBundle): Promise<CompiledBundle> {
    const ids = bundle.entries.flatMap(({ upstream }) => (upstream && isNeverAsked(upstream) ? [upstream.id] : []));
    if (ids.length === 0) return bundle;
    await this.firstLists([...new Set(ids)], this.limits.firstListsOfCallMs, ownerOf(target));
    // Its notification may not have come yet.
    for (const id of ids) this.drop(id);
    return this.compile(target);
  }

  /**
   * Compiles a bundle as it would be now, for a report: without its rules, nothing is kept, and no aliases are assigned.
   *
   * @param isNew whether servers that were never asked for their lists are asked now, for up to 2 s
   */
  async survey(target: CompileTarget, isNew = true): Promise<CompiledBundle> {
    return (await this.run(target, OPEN_POLICY, false, isNew, false)).bundle;
  }

  /** The entries of a bundle as a person sees them, without what they offer. Stores nothing but servers that are new. */
  async look(target: CompileTarget): Promise<CompiledEntry[]> {
    const { sources } = await this.sources.read(target);
    const aliases = await this.aliases.of(target.bundleId, sources, false);
    const { states } = await this.known(target, undefined, sources, { asksNew: false, asksSets: false });
    return entriesOf(sources, aliases, states);
  }

  /** What is odd in the definitions of these entries. */
  async findings(entries: readonly CompiledEntry[], nameBudget: number): Promise<Problem[]> {
    return this.concurrency.run(async () => {
      const { definitions } = await this.listed(entries, everySet(entries.filter(isReachable)));
      return bundleFindings(entries, definitions, nameBudget);
    });
  }

  private recall(key: string, isListed: boolean): CompiledBundle | undefined {
    const kept = this.kept.get(key);
    if (!kept || (isListed && !kept.isWhole)) return undefined;
    if (this.notifications.connected || performance.now() - kept.at < UNHEARD_MS) return kept.bundle;
    this.kept.delete(key);
    return undefined;
  }

  private async keep(target: KeyedTarget, isListed: boolean): Promise<CompilationResult> {
    const changes = new Set<string | undefined>();
    this.running.add(changes);
    try {
      const at = performance.now();
      const { policy, digest: policyDigest } = await this.policies.of(target);
      const { bundle, entriesDigest, isWhole } = await this.run(target, policy, true, true, isListed, changes);
      const compiled = { bundle, entriesDigest, isWhole, policyDigest };
      // What was read before a change may be without it.
      const isStale =
        changes.has(undefined) || bundle.entries.some(({ upstream }) => upstream && changes.has(upstream.id));
      // The key says what was admitted. What they may use now may be more than others with that key may, or less.
      if (!isStale && isOfKey(compiled, target)) this.kept.set(target.key, { bundle, isWhole, at });
      return compiled;
    } finally {
      this.running.delete(changes);
    }
  }

  /** @param changes is emptied when the lists of servers are about to be read */
  private async run(
    target: CompileTarget,
    policy: Policy,
    storesAliases: boolean,
    asksNew: boolean,
    asksSets: boolean,
    changes?: Set<string | undefined>,
  ): Promise<Omit<CompilationResult, 'policyDigest'>> {
    const { sources, problems, digest: entriesDigest } = await this.sources.read(target);
    const aliases = await this.aliases.of(target.bundleId, sources, storesAliases);
    const client = storesAliases ? (target.client ?? BARE_CLIENT) : undefined;
    const { states, sets, isWhole } = await this.known(target, client, sources, { asksNew, asksSets }, changes);
    const entries = entriesOf(sources, aliases, states);
    if (storesAliases && target.boundVersion === null) this.outages.note(target.bundleId, entries);
    const bundle = await this.concurrency.run(() => this.fill(target, policy, entries, problems, sets, !storesAliases));
    this.noteUse(bundle);
    return { bundle, entriesDigest, isWhole };
  }

  /** With the definitions of the first entries that fit. @param looksForFindings whether they are checked, for a report */
  private async fill(
    target: CompileTarget,
    policy: Policy,
    entries: readonly CompiledEntry[],
    problems: readonly Problem[],
    sets: ReadonlyMap<string, number>,
    looksForFindings: boolean,
  ): Promise<CompiledBundle> {
    const { definitions, tooMuch } = await this.listed(entries, sets);
    definitions.push(...connectTools(target, entries.filter(isReachable), definitions));
    const rules = await this.rules.read(target, entries, definitions);
    // For reports only: clients do not see them, and every text would be read once more.
    const findings = looksForFindings ? await bundleFindings(entries, definitions, target.nameBudget) : [];
    return compileBundle(target, entries, definitions, [...problems, ...findings], tooMuch, rules, policy);
  }

  /** What the servers of the first entries list that fit, and the other entries. */
  private async listed(
    entries: readonly CompiledEntry[],
    sets: ReadonlyMap<string, number>,
  ): Promise<{ definitions: StoredDefinition[]; tooMuch: ReadonlySet<string> }> {
    const reachable = entries.filter(isReachable);
    if (reachable.length === 0) return { definitions: [], tooMuch: new Set() };
    const sizes = await this.sizes.of(sets);
    const [fitting, tooMuch] = [new Map<string, number>(), new Set<string>()];
    let bytes = 0;
    for (const { id, upstream } of reachable) {
      const size = sizes.get(upstream.id) ?? 0;
      if (bytes + size > MAX_DEFINITION_BYTES) tooMuch.add(id);
      else {
        bytes += size;
        fitting.set(upstream.id, sets.get(upstream.id) ?? 0);
      }
    }
    return { definitions: await this.upstreams.definitions(fitting), tooMuch };
  }

  /**
   * @param client undefined: whatever is listed for any client
   * @param asksNew whether servers are asked now that never were
   * @param asksSets whether those are that never were with the capabilities of such a client
   * @param changes is emptied when their lists are about to be read
   */
  private async known(
    target: CompileTarget,
    client: ListClient | undefined,
    sources: readonly EntrySource[],
    { asksNew, asksSets }: { readonly asksNew: boolean; readonly asksSets: boolean },
    changes?: Set<string | undefined>,
  ): Promise<ServerSnapshot> {
    const reachable = sources.flatMap(({ id, upstream }) => (upstream ? [{ id, upstream }] : []));
    if (reachable.length === 0) return { states: new Map(), sets: new Map(), isWhole: true };
    const wanted = reachable.map(({ upstream }) => upstream);
    let states = await this.upstreams.ensure(wanted);
    let sets = await this.setsOf(client, states);
    // Once more where a process had begun before it knew of such a client.
    for (let turn = 0; turn < 2; turn++) {
      const neverAsked = states.flatMap((state) => (state && isNeverAsked(state) ? [state.id] : []));
      const unknown = new Set([...(asksNew && turn === 0 ? neverAsked : []), ...(asksSets ? sets.unknown : [])]);
      if (unknown.size === 0) break;
      await this.firstLists([...unknown], this.limits.firstListsMs, ownerOf(target));
      changes?.clear();
      states = await this.upstreams.ensure(wanted);
      sets = await this.setsOf(client, states);
    }
    const byEntry = reachable.flatMap(({ id }, index) => (states[index] ? [[id, states[index]] as const] : []));
    // The same server is not waited for twice.
    return { states: new Map(byEntry), sets: sets.known, isWhole: asksSets || sets.unknown.length === 0 };
  }

  /** For which sets lists are read, and which servers were never asked with that of the client. */
  private async setsOf(
    client: ListClient | undefined,
    states: readonly (UpstreamState | undefined)[],
  ): Promise<{ known: Map<string, number>; unknown: readonly string[] }> {
    const servers = states.filter((state) => state !== undefined);
    const unknown: string[] = [];
    if (!client) return { known: everySet(servers.map((upstream) => ({ upstream }))), unknown };
    const known = new Map(servers.map(({ id }) => [id, bitOf(NO_CAPABILITIES)]));
    const asking = servers.filter((state) => canAsk(state, client)).map(({ id }) => id);
    if (client.capabilities === NO_CAPABILITIES || asking.length === 0) return { known, unknown };
    for (const [id, { listed, isUntried }] of await this.upstreams.want([...new Set(asking)], client.capabilities)) {
      if (isUntried) unknown.push(id);
      known.set(id, bitOf(nearestSet(client.capabilities, listed)));
    }
    return { known, unknown };
  }

  /** Goes on without us if it takes longer; what it finds is a change like any other. */
  private async firstLists(ids: readonly string[], mostMs: number, owner: string): Promise<void> {
    await this.upstreams.refresh(ids, AbortSignal.timeout(mostMs), owner).catch(() => undefined);
  }

  private drop(upstreamId: string | undefined): void {
    for (const changes of this.running) changes.add(upstreamId);
    for (const [key, { bundle }] of [...this.kept.entries()])
      if (upstreamId === undefined || bundle.entries.some(({ upstream }) => upstream?.id === upstreamId))
        this.kept.delete(key);
    for (const onDrop of this.listeners) onDrop(upstreamId);
  }
}

/** The earlier revisions ask within a session, which clients of the modern era do not have. */
function canAsk({ modern, onlyEra }: UpstreamState, { era }: ListClient): boolean {
  return era === 'legacy' || (modern !== '' && onlyEra !== 'legacy');
}

function everySet(servers: readonly { readonly upstream: { readonly id: string } }[]): Map<string, number> {
  return new Map(servers.map(({ upstream }) => [upstream.id, EVERY_SET]));
}

function isNeverAsked({ listedAt, listError }: UpstreamState): boolean {
  return listedAt === null && listError === null;
}

/** @returns whether it is what the key of a target says */
function isOfKey({ entriesDigest, policyDigest }: CompilationResult, target: KeyedTarget): boolean {
  return entriesDigest === target.entriesDigest && policyDigest === target.policyDigest;
}

/** A person sees what an access token of theirs does, but with other credentials and other rules. */
function isSamePrincipal(one: KeyedTarget, other: KeyedTarget): boolean {
  return one.personId === other.personId && one.tokenId === other.tokenId;
}

/** Whose work it is: of the person who asks, also by a token, so that no one has more of it by more bundles or organisations. */
function ownerOf({ personId }: CompileTarget): string {
  return `user ${personId}`;
}

function entriesOf(
  sources: readonly EntrySource[],
  aliases: ReadonlyMap<string, string>,
  states: ReadonlyMap<string, UpstreamState>,
): CompiledEntry[] {
  return sources.map(({ id, key, listingName, listingVersion, credential }) => {
    const entry = { id, key, alias: aliases.get(id) ?? key, listingName, listingVersion };
    return { ...entry, upstream: states.get(id) ?? null, ...(credential ? { credential } : {}) };
  });
}
