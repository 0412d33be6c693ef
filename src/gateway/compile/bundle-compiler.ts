import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifications } from '../../database/notifications';
import { outsideRequests, withinDatabaseDeadline } from '../../database/deadline';
import type { StoredDefinition, UpstreamState } from '../upstreams/upstream';
import { Upstreams } from '../upstreams/upstreams.service';
import { FairSlots } from '../upstreams/fair-slots';
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
  type Problem,
} from './compiled-bundle';
import { connectTools } from './connect-tools';
import { DefinitionSizes } from './definition-sizes';
import { EndpointAliases } from './endpoint-aliases';
import { EndpointUpstreams } from './endpoint-upstreams';
import { EntrySources, type EntrySource } from './entry-sources';
import { KeptBundles } from './kept-bundles';
import { everySet, isNeverAsked, ownerOf, ServerSnapshots } from './server-snapshots';

/** How long one is kept while this process does not hear of changes. */
const UNHEARD_MS = 1_000;
/** Definitions of one bundle, as the database has them; in memory they take a multiple for a moment. */
const MAX_DEFINITION_BYTES = 33_554_432;
/** Bundles whose definitions are in memory at once, besides those that are kept. */
const AT_ONCE = 2;
/** How often the use of servers is noted for a bundle that is used all the time. */
const NOTE_MS = 60_000;

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
  /** All who wait for it. */
  readonly owners: Set<string>;
  readonly compiled: Promise<CompilationResult>;
}

/**
 * Compiles bundles, and keeps the results in memory: by what they depend on, so that a request only has to know that. They
 * are dropped as soon as a server that they have changes its lists, in whatever process that was found out.
 */
@Injectable()
export class BundleCompiler implements OnModuleInit {
  private readonly kept = new KeptBundles();
  private readonly pending = new Map<string, PendingCompilation>();
  private readonly slots = new FairSlots(AT_ONCE);
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
    private readonly snapshots: ServerSnapshots,
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
    return this.kept.bytes;
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
      // The compilation is for all who wait for it, so it does not end with the time of the first.
      const owners = new Set([ownerOf(target)]);
      const compiled = outsideRequests(() => this.keep(target, isListed, owners)).finally(() => {
        if (this.pending.get(target.key) === own) this.pending.delete(target.key);
      });
      const own = { target, isListed, owners, compiled };
      pending = own;
      this.pending.set(target.key, own);
    }
    pending.owners.add(ownerOf(target));
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
    const ids = entries.filter(isReachable).map(({ upstream }) => upstream.id);
    const looked = await this.snapshots.readAgain(target, ids);
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
    await this.snapshots.readFirst(target, ids);
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
    return (await this.run(target, OPEN_POLICY, new Set([ownerOf(target)]), false, isNew, false)).bundle;
  }

  /** The entries of a bundle as a person sees them, without what they offer. Stores nothing but servers that are new. */
  async look(target: CompileTarget): Promise<CompiledEntry[]> {
    const { sources } = await this.sources.read(target);
    const aliases = await this.aliases.of(target.bundleId, sources, false);
    const { states } = await this.snapshots.read(target, undefined, sources, { asksNew: false, asksSets: false });
    return entriesOf(sources, aliases, states);
  }

  /** What is odd in the definitions of these entries. */
  async findings(target: CompileTarget, entries: readonly CompiledEntry[]): Promise<Problem[]> {
    return this.slots.run(new Set([ownerOf(target)]), async () => {
      const { definitions } = await this.listed(entries, everySet(entries.filter(isReachable)));
      return bundleFindings(entries, definitions, target.nameBudget);
    });
  }

  private recall(key: string, isListed: boolean): CompiledBundle | undefined {
    const kept = this.kept.get(key);
    if (!kept || (isListed && !kept.isWhole)) return undefined;
    if (this.notifications.connected || performance.now() - kept.at < UNHEARD_MS) return kept.bundle;
    this.kept.delete(key);
    return undefined;
  }

  private async keep(
    target: KeyedTarget,
    isListed: boolean,
    owners: ReadonlySet<string> = new Set([ownerOf(target)]),
  ): Promise<CompilationResult> {
    const changes = new Set<string | undefined>();
    this.running.add(changes);
    try {
      const at = performance.now();
      const { policy, digest: policyDigest } = await this.policies.of(target);
      const { bundle, entriesDigest, isWhole } = await this.run(target, policy, owners, true, true, isListed, changes);
      const compiled = { bundle, entriesDigest, isWhole, policyDigest };
      // What was read before a change may be without it.
      const isStale =
        changes.has(undefined) || bundle.entries.some(({ upstream }) => upstream && changes.has(upstream.id));
      // The key says what was admitted. What they may use now may be more than others with that key may, or less.
      if (!isStale && isOfKey(compiled, target)) this.kept.set(target.key, ownerOf(target), { bundle, isWhole, at });
      return compiled;
    } finally {
      this.running.delete(changes);
    }
  }

  /**
   * @param owners all who wait for it
   * @param changes is emptied when the lists of servers are about to be read
   */
  private async run(
    target: CompileTarget,
    policy: Policy,
    owners: ReadonlySet<string>,
    storesAliases: boolean,
    asksNew: boolean,
    asksSets: boolean,
    changes?: Set<string | undefined>,
  ): Promise<Omit<CompilationResult, 'policyDigest'>> {
    const { sources, problems, digest: entriesDigest } = await this.sources.read(target);
    const aliases = await this.aliases.of(target.bundleId, sources, storesAliases);
    const client = storesAliases ? (target.client ?? BARE_CLIENT) : undefined;
    const { states, sets, isWhole } = await this.snapshots.read(
      target,
      client,
      sources,
      { asksNew, asksSets },
      changes,
    );
    const entries = entriesOf(sources, aliases, states);
    if (storesAliases && target.boundVersion === null) this.outages.note(target.bundleId, entries);
    const bundle = await this.slots.run(owners, () =>
      this.fill(target, policy, entries, problems, sets, !storesAliases),
    );
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

  private drop(upstreamId: string | undefined): void {
    for (const changes of this.running) changes.add(upstreamId);
    this.kept.forgetOf(upstreamId);
    for (const onDrop of this.listeners) onDrop(upstreamId);
  }
}

/** @returns whether it is what the key of a target says */
function isOfKey({ entriesDigest, policyDigest }: CompilationResult, target: KeyedTarget): boolean {
  return entriesDigest === target.entriesDigest && policyDigest === target.policyDigest;
}

/** A person sees what an access token of theirs does, but with other credentials and other rules. */
function isSamePrincipal(one: KeyedTarget, other: KeyedTarget): boolean {
  return one.personId === other.personId && one.tokenId === other.tokenId;
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
