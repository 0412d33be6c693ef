import { Injectable } from '@nestjs/common';
import { bitOf, EVERY_SET, nearestSet, NO_CAPABILITIES } from '../protocol/capability-set';
import type { UpstreamState } from '../upstreams/upstream';
import { UpstreamLimits } from '../upstreams/upstream-limits';
import { Upstreams } from '../upstreams/upstreams.service';
import type { CompileTarget, ListClient } from './compiled-bundle';
import type { EntrySource } from './entry-sources';

/** The servers of a bundle as the database has them now. */
export interface ServerSnapshot {
  /** By entry. */
  readonly states: ReadonlyMap<string, UpstreamState>;
  /** For which sets of capabilities the lists are, as bits, by upstream. */
  readonly sets: ReadonlyMap<string, number>;
  /** Whether nothing is to be expected that is not known yet. */
  readonly isWhole: boolean;
}

/** What is known of the servers of bundles; reads their lists where nothing is, or where something is missing. */
@Injectable()
export class ServerSnapshots {
  constructor(
    private readonly upstreams: Upstreams,
    private readonly limits: UpstreamLimits,
  ) {}

  /**
   * @param client undefined: whatever is listed for any client
   * @param asksNew whether servers are asked now that never were
   * @param asksSets whether those are that never were with the capabilities of such a client
   * @param changes is emptied when their lists are about to be read
   */
  async read(
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
      await this.first([...unknown], this.limits.firstListsMs, ownerOf(target));
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

  /** Reads the first lists of servers that a call waits for. */
  readFirst(target: CompileTarget, ids: readonly string[]): Promise<void> {
    return this.first([...new Set(ids)], this.limits.firstListsOfCallMs, ownerOf(target));
  }

  /** Reads the lists of servers again, each at most every 30 s in this process. @returns of which they were read in time */
  async readAgain(target: CompileTarget, ids: readonly string[]): Promise<string[]> {
    const late = AbortSignal.timeout(this.limits.firstListsMs);
    const read = await Promise.all(
      [...new Set(ids)].map(async (id) =>
        (await this.upstreams.readSuspected(id, late, ownerOf(target)).catch(() => false)) ? [id] : [],
      ),
    );
    return read.flat();
  }

  /** Goes on without us if it takes longer; what it finds is a change like any other. */
  private async first(ids: readonly string[], mostMs: number, owner: string): Promise<void> {
    await this.upstreams.refresh(ids, AbortSignal.timeout(mostMs), owner).catch(() => undefined);
  }
}

/** The earlier revisions ask within a session, which clients of the modern era do not have. */
function canAsk({ modern, onlyEra }: UpstreamState, { era }: ListClient): boolean {
  return era === 'legacy' || (modern !== '' && onlyEra !== 'legacy');
}

/** @returns whatever they list for any client */
export function everySet(servers: readonly { readonly upstream: { readonly id: string } }[]): Map<string, number> {
  return new Map(servers.map(({ upstream }) => [upstream.id, EVERY_SET]));
}

/** @returns whether no one has tried to read its lists so far */
export function isNeverAsked({ listedAt, listError }: UpstreamState): boolean {
  return listedAt === null && listError === null;
}

/** The person who asks owns the work, also by a token: more bundles or organisations give that person no more of it. */
export function ownerOf({ personId }: CompileTarget): string {
  return `user ${personId}`;
}
