import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Columns } from '../../database/columns';
import { outsideRequests } from '../../database/deadline';
import { execute, many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { messageOf } from '../../errors/message-of';
import { type AddressRow, upstreamOf } from './upstream';
import type { UpstreamRow } from './upstream.entity';
import { FairSlots } from './fair-slots';
import { bitOf, type CapabilitySet } from '../protocol/capability-set';
import type { DefinitionKind } from '../protocol/definition-list';
import { UpstreamLimits } from './upstream-limits';
import { UpstreamLister } from './upstream-lister';
import { FOR_NONE, type Listing, nothingListed, type RequestedCapabilitySet } from './upstream-listing';
import {
  CLAIM_DUE,
  CLAIM_THESE,
  END_CLAIM,
  FORGET_SETS,
  FORGET_UNLISTED,
  KNOWN_WHOLE,
  MAKE_TOOLS_DUE,
  NOTE_SETS_READ,
  NOTIFY,
  RELEASE_CLAIM,
  STORE_DEFINITIONS,
  STORE_STATE,
} from './upstreams.sql';

const REST_MS = 5 * 60_000;
/**
 * Until the first list is there, and for a server that does not answer as long as that has been so; and after the first time
 * without an answer, which may have been the only one.
 */
const FIRST_REST_MS = 30_000;
const MIN_REST_MS = 30_000;
const MAX_REST_MS = 3_600_000;
/** So that upstreams that were created together do not stay together. */
const SPREAD = 0.2;
/** At once in this process. A server that accepts and never answers has a slot for 10 s and more. */
const AT_ONCE = 16;
/** So many that are due are read at once, so that some slots are left for those that someone waits for. */
const MAX_DUE = 12;
/** So many of these may be such as did not answer the last time, or have never listed anything. */
const MAX_DOUBTFUL = 6;
/** A refresh that no one in particular asks for has this owner. */
const NOBODY = '';
const GREATEST_INT = 2_147_483_647;

type Claim = AddressRow &
  Pick<Columns<UpstreamRow>, 'listed_at' | 'down_since' | 'capabilities'> & {
    claimed_until: Date;
    /** Whether its lists were read, all of them, a moment ago. */
    is_fresh: boolean;
    sets: readonly (RequestedCapabilitySet & { readonly isWanted: boolean; readonly isTried: boolean })[];
  };

/**
 * Reads the lists of upstreams and stores what has changed. An upstream is read by one process at a time, which has claimed
 * its row; a claim ends by itself, so that a process that dies leaves nothing behind.
 */
@Injectable()
export class UpstreamRefresher implements BeforeApplicationShutdown {
  /** Receives what each run has brought. */
  onRead: (listing: Listing) => void = () => undefined;
  private readonly logger = new Logger(UpstreamRefresher.name);
  private readonly ending = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly slots = new FairSlots(AT_ONCE, true);
  /** The upstreams that were due are being read; the value says whether it is doubtful that they answer. */
  private readonly due = new Map<string, boolean>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly lister: UpstreamLister,
    private readonly limits: UpstreamLimits,
  ) {}

  /** What is under way is broken off: another process reads it again. */
  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort(new Error('This process ends.'));
    await Promise.all(this.running);
  }

  /**
   * Begins to read those that are due, as many as there is room for.
   *
   * @param onDone called when one of them was read: there is room again
   */
  async startDue(onDone: () => void): Promise<void> {
    const room = Math.min(this.slots.free, MAX_DUE - this.due.size);
    if (room <= 0 || this.ending.signal.aborted) return;
    const doubtful = [...this.due.values()].filter((isDoubtful) => isDoubtful).length;
    const claims = await many<Claim>(this.dataSource, CLAIM_DUE, [room, Math.min(room, MAX_DOUBTFUL - doubtful)]);
    for (const claim of claims) void this.run(claim).finally(onDone);
  }

  /**
   * Reads these now, but for those that another process reads already. Goes on if no one waits any more.
   *
   * @param owner whose wish it is: of each no more are read at once than there are free slots
   */
  async refresh(ids: readonly string[], owner = NOBODY): Promise<void> {
    const owners = new Set([owner]);
    // Only a row that is about to be read is claimed.
    await Promise.all(ids.map((id) => outsideRequests(() => this.slots.run(owners, () => this.refreshOne(id)))));
  }

  private async refreshOne(id: string): Promise<void> {
    if (this.ending.signal.aborted) return;
    await this.track(async () => {
      const [claim] = await many<Claim>(this.dataSource, CLAIM_THESE, [[id]]);
      if (claim) await this.readAndStore(claim);
    });
  }

  private async run(claim: Claim): Promise<void> {
    this.due.set(claim.id, claim.down_since !== null || claim.listed_at === null);
    try {
      await this.slots.runNow(() => this.track(() => this.readAndStore(claim)));
    } finally {
      this.due.delete(claim.id);
    }
  }

  private async track(work: () => Promise<void>): Promise<void> {
    const done = work().catch((error: unknown) => {
      // The claim ends by itself.
      this.logger.warn(`Lists of an upstream could not be refreshed: ${messageOf(error)}`);
    });
    this.running.add(done);
    try {
      await done;
    } finally {
      this.running.delete(done);
    }
  }

  private async readAndStore(claim: Claim): Promise<void> {
    const { refreshMs } = this.limits;
    const late = AbortSignal.timeout(refreshMs);
    const wanted = claim.sets.filter(({ isWanted }) => isWanted);
    const added = claim.is_fresh ? wanted.filter(({ isTried }) => !isTried) : [];
    const about = { capabilities: claim.capabilities ?? {}, serverInfo: null, instructions: null };
    let listing: Listing;
    try {
      listing =
        added.length > 0
          ? await this.lister.readSets(upstreamOf(claim), added, about, this.ending.signal, late)
          : await this.lister.read(upstreamOf(claim), wanted, this.ending.signal, late);
    } catch (error) {
      if (this.ending.signal.aborted) {
        await execute(this.dataSource, RELEASE_CLAIM, [claim.id, claim.claimed_until]);
        return;
      }
      if (!late.aborted) this.logger.error(error);
      const reason = late.aborted ? `within ${refreshMs / 1_000} s` : 'because of an error in Toolyard';
      listing = nothingListed(`Its lists could not be read ${reason}.`, late.aborted || undefined);
    }
    if (added.length > 0) return this.storeAdded(claim, added, listing);
    this.onRead(listing);
    await this.store(claim, wanted, listing);
  }

  private async store(claim: Claim, wanted: readonly RequestedCapabilitySet[], read: Listing): Promise<void> {
    const { id, claimed_until, listed_at, down_since } = claim;
    const listing = await this.withKnown(id, read);
    const { about, leftOut, ttlMs, error, isDown } = listing;
    const isRead = listing.readFor.size > 0;
    const isSettled = isDown ? down_since !== null && listed_at !== null : isRead || listed_at !== null;
    await inTransaction(this.dataSource, async (manager) => {
      const state = await maybe<{ has_changed: boolean }>(manager, STORE_STATE, [
        id,
        claimed_until,
        isSettled ? restOf(ttlMs) : firstRestOf(down_since),
        error,
        about ? JSON.stringify(about.capabilities) : null,
        about ? JSON.stringify(about.serverInfo) : null,
        about?.instructions ?? null,
        ttlMs === undefined ? null : Math.min(ttlMs, GREATEST_INT),
        isRead ? JSON.stringify(leftOut) : null,
        isDown ?? null,
      ]);
      // Another process has claimed it since.
      if (!state) return;
      const hasChanged = await this.storeLists(manager, claim, wanted, listing);
      if (hasChanged.definitions || listed_at === null) await execute(manager, MAKE_TOOLS_DUE, [id]);
      if (hasChanged.definitions || hasChanged.sets || state.has_changed) await execute(manager, NOTIFY, [id]);
    });
  }

  /** Stores what is listed for sets that were added since all lists were read. Nothing else has been read. */
  private async storeAdded(claim: Claim, added: readonly RequestedCapabilitySet[], listing: Listing): Promise<void> {
    const { id, claimed_until } = claim;
    await inTransaction(this.dataSource, async (manager) => {
      if ((await execute(manager, END_CLAIM, [id, claimed_until, restOf(undefined)])) === 0) return;
      const hasChanged = await this.storeLists(manager, claim, added, listing);
      if (hasChanged.definitions) await execute(manager, MAKE_TOOLS_DUE, [id]);
      if (hasChanged.definitions || hasChanged.sets) await execute(manager, NOTIFY, [id]);
    });
  }

  /** @param tried the sets for which lists were to be read */
  private async storeLists(
    manager: EntityManager,
    claim: Claim,
    tried: readonly RequestedCapabilitySet[],
    { readFor, definitions, sets }: Listing,
  ): Promise<{ definitions: boolean; sets: boolean }> {
    const { id } = claim;
    const hasOtherSets = claim.sets.length > 0 && (await this.storeSets(manager, claim, tried, sets));
    if (readFor.size === 0) return { definitions: false, sets: hasOtherSets };
    const { changed } = await one<{ changed: number }>(manager, STORE_DEFINITIONS, [
      id,
      definitions.map(({ kind }) => kind),
      definitions.map(({ name }) => name),
      definitions.map(({ place }) => place),
      definitions.map(({ digest }) => digest),
      definitions.map(({ body }) => body),
      [...readFor.keys()],
      definitions.map(({ shownDigest }) => shownDigest),
      [...readFor.values()],
      definitions.map(({ listedFor }) => listedFor),
      claim.sets.reduce((bits, { set, isWanted }) => bits | (isWanted ? bitOf(set) : 0), FOR_NONE),
    ]);
    if (changed > 0) await execute(manager, FORGET_UNLISTED, [id]);
    return { definitions: changed > 0, sets: hasOtherSets };
  }

  /** @returns whether lists are known now for other sets than before */
  private async storeSets(
    manager: EntityManager,
    { id, sets }: Claim,
    tried: readonly RequestedCapabilitySet[],
    read: readonly CapabilitySet[],
  ): Promise<boolean> {
    await execute(manager, NOTE_SETS_READ, [id, tried.map(({ set }) => set), read]);
    const unwanted = sets.filter(({ isWanted }) => !isWanted).map(({ set }) => set);
    if (unwanted.length > 0) await execute(manager, FORGET_SETS, [id, unwanted]);
    return unwanted.length > 0 || sets.some(({ set, isListed }) => !isListed && read.includes(set));
  }

  /** Where an upstream failed in the middle of a list that is known as a whole, the list of the time before counts. */
  private async withKnown(id: string, listing: Listing): Promise<Listing> {
    const { brokenOff } = listing;
    if (brokenOff.size === 0) return listing;
    const rows = await many<{ kind: DefinitionKind }>(this.dataSource, KNOWN_WHOLE, [id, [...brokenOff.keys()]]);
    const known = new Set(rows.map(({ kind }) => kind));
    const [first] = known;
    if (first === undefined) return listing;
    return {
      ...listing,
      readFor: new Map([...listing.readFor].filter(([kind]) => !known.has(kind))),
      definitions: listing.definitions.filter(({ kind }) => !known.has(kind)),
      leftOut: listing.leftOut.filter(({ kind }) => kind === undefined || !known.has(kind)),
      error: listing.error ?? brokenOff.get(first) ?? null,
    };
  }
}

/** @returns milliseconds until it is read again: as it says itself, or else five minutes, give or take a fifth */
function restOf(ttlMs: number | undefined): number {
  // 0 means "stale at once" and is no wish to be asked all the time (MCP 2026-07-28, caching).
  const said = ttlMs === undefined || ttlMs === 0 ? REST_MS : Math.min(ttlMs, MAX_REST_MS);
  return spread(said);
}

/** @returns the same while it has yet to list anything: twice as long each time, up to five minutes, if it does not answer */
function firstRestOf(downSince: Date | null): number {
  const downMs = downSince ? Date.now() - downSince.getTime() : 0;
  return spread(Math.min(Math.max(downMs, FIRST_REST_MS), REST_MS));
}

function spread(ms: number): number {
  return Math.round(Math.max(MIN_REST_MS, ms * (1 - SPREAD + 2 * SPREAD * Math.random())));
}
