import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { Columns } from '../../database/columns';
import { outsideRequests } from '../../database/deadline';
import { Notifications } from '../../database/notifications';
import { type Connection, execute, many, maybe, one } from '../../database/statements';
import { messageOf } from '../../errors/message-of';
import { type CapabilitySet, NO_CAPABILITIES } from '../protocol/capability-set';
import { canonicalJson } from '../protocol/definition-digest';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { BackoffThrottle } from './backoff-throttle';
import { SingleFlights } from './single-flights';
import type { UpstreamCredential } from '../credentials/upstream-credential';
import type { StoredDefinition, UpstreamState } from './upstream';
import type { UpstreamCapabilitySet } from './upstream-capability-set.entity';
import type { UpstreamDefinition } from './upstream-definition.entity';
import type { UpstreamRow } from './upstream.entity';
import { UpstreamRefresher } from './upstream-refresher';
import {
  DEFINITIONS,
  ENSURE,
  FIND,
  IS_CLAIMED,
  MAKE_DUE,
  NOTE_SETS,
  NOTE_USE,
  SUSPECT,
  TOOL,
  WANT_SET,
} from './upstreams.sql';

/** Every transaction that changes definitions, or what is known of an upstream, notifies this channel of its id. */
const DEFINITIONS_CHANNEL = 'toolyard_definitions';

/** How long someone waits for lists that are read now. */
const PATIENCE_MS = 10_000;
/** While another process reads them: it notifies of what it finds, but not where nothing has changed. */
const LOOK_MS = 1_000;
const NOTE_EVERY_MS = 60_000;
/** Uses are gathered for so long, and then written by one statement. */
const GATHER_MS = 1_000;
const SUSPECT_EVERY_MS = 30_000;
const MAX_REMEMBERED = 10_000;
const MAX_ANNOUNCING = 1_000;
/** However often an upstream announces changes on the streams of calls. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

type StateRow = Pick<
  Columns<UpstreamRow>,
  | 'id'
  | 'url'
  | 'headers'
  | 'credential_id'
  | 'fills'
  | 'modern'
  | 'legacy'
  | 'only_era'
  | 'server_info'
  | 'capabilities'
  | 'instructions'
  | 'listed_at'
  | 'list_error'
  | 'left_out'
  | 'ttl_ms'
> & { place: number };
type DefinitionRow = Pick<Columns<UpstreamDefinition>, 'upstream_id' | 'kind' | 'name' | 'body' | 'digest'> & {
  shown: string | null;
  is_unsteady: boolean;
};

type SetRow = Pick<Columns<UpstreamCapabilitySet>, 'upstream_id' | 'capabilities'> & {
  is_listed: boolean;
  is_tried: boolean;
};

/** For clients with which capabilities the lists of an upstream are known. */
export interface ListedCapabilitySets {
  readonly listed: readonly CapabilitySet[];
  /** Whether they were never read for the set of this client, which is the first one, or the first after a long time. */
  readonly isUntried: boolean;
}

/** An address, headers without secrets, and the credential that is sent. */
export interface EnsuredUpstream {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly credential?: UpstreamCredential;
}

/** The upstreams of all bundles, and what they offer. */
@Injectable()
export class Upstreams implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Upstreams.name);
  private readonly listeners: ((upstreamId: string | undefined) => void)[] = [];
  private readonly noted = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: NOTE_EVERY_MS });
  private readonly suspected = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: SUSPECT_EVERY_MS });
  /** Upstreams whose lists were read because a call could not wait for that. */
  private readonly readAgain = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: SUSPECT_EVERY_MS });
  /** Upstreams that have announced changes of their lists on the streams of calls. */
  private readonly changing = new LRUCache<string, BackoffThrottle>({
    max: MAX_ANNOUNCING,
    dispose: (changed) => changed.stop(),
  });
  private readonly readings = new SingleFlights<void>();
  /** Each function wakes a caller that waits for another process. */
  private readonly wakes = new Set<(upstreamId: string | undefined) => void>();
  private used = new Set<string>();
  private usedSets: [upstreamId: string, set: CapabilitySet][] = [];
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly dataSource: DataSource,
    notifications: Notifications,
    private readonly refresher: UpstreamRefresher,
  ) {
    notifications.listen(DEFINITIONS_CHANNEL, (upstreamId) => {
      for (const listener of this.listeners) listener(upstreamId);
      for (const wake of this.wakes) wake(upstreamId);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.changing.clear();
    await this.writeUses();
  }

  /**
   * Finds or creates upstreams, in one statement. New ones are due at once: a worker reads their lists, or `refresh` does.
   *
   * @returns what is known of them, in that order; undefined: its credential was deleted this moment
   * @throws TypeError for what is not an address
   */
  async ensure(wanted: readonly EnsuredUpstream[]): Promise<(UpstreamState | undefined)[]> {
    if (wanted.length === 0) return [];
    const rows = wanted.map(keyOf);
    const values = [
      rows.map(({ digest }) => digest),
      rows.map(({ url }) => url),
      rows.map(({ headers }) => headers),
      rows.map(({ credentialId }) => credentialId),
      rows.map(({ fills }) => fills),
    ];
    const states = await many<StateRow>(this.dataSource, ENSURE, values);
    // Another transaction has created one at the same time, which only the next statement sees.
    const all = states.length === wanted.length ? states : await many<StateRow>(this.dataSource, ENSURE, values);
    const byPlace = new Map(all.map((row) => [row.place, row]));
    return wanted.map(({ credential }, index) => {
      const row = byPlace.get(index + 1);
      return row && stateOf(row, credential);
    });
  }

  /**
   * Finds upstreams without creating any.
   *
   * @param connection of a transaction
   * @returns their ids in that order; undefined where none is known
   */
  async find(connection: Connection, wanted: readonly EnsuredUpstream[]): Promise<(string | undefined)[]> {
    if (wanted.length === 0) return [];
    const digests = wanted.map((one) => keyOf(one).digest.toString('hex'));
    const rows = await many<{ id: string; digest: string }>(connection, FIND, [
      digests.map((digest) => Buffer.from(digest, 'hex')),
    ]);
    const ids = new Map(rows.map(({ id, digest }) => [digest, id]));
    return digests.map((digest) => ids.get(digest));
  }

  /**
   * @param sets for which of them the lists are, as bits, by upstream
   * @returns the definitions that are listed, by upstream and kind, and within them in the upstream's order
   */
  async definitions(sets: ReadonlyMap<string, number>): Promise<StoredDefinition[]> {
    const values = [[...sets.keys()], [...sets.values()]];
    const rows = await many<DefinitionRow>(this.dataSource, DEFINITIONS, values);
    const names = new Set<string>();
    return rows.map(({ upstream_id: upstreamId, is_unsteady: isUnsteady, ...rest }) => {
      const name = `${upstreamId} ${rest.kind} ${rest.name}`;
      const isVariant = names.has(name);
      names.add(name);
      return { upstreamId, isUnsteady, ...rest, ...(isVariant ? { isVariant } : {}) };
    });
  }

  /**
   * Clients with these capabilities use upstreams, so their lists are read for such clients, too; for at most eight sets each.
   *
   * @returns for which sets the lists of each are known, and where this is the first time that such a client comes
   */
  async want(ids: readonly string[], set: CapabilitySet): Promise<Map<string, ListedCapabilitySets>> {
    const found = new Map<string, { listed: CapabilitySet[]; isUntried: boolean }>(
      ids.map((id) => [id, { listed: [], isUntried: false }]),
    );
    for (const row of await many<SetRow>(this.dataSource, WANT_SET, [ids, set])) {
      const known = found.get(row.upstream_id);
      if (!known) continue;
      if (row.is_listed) known.listed.push(row.capabilities);
      known.isUntried ||= row.capabilities === set && !row.is_tried;
    }
    return found;
  }

  /**
   * Reads the lists of these now: one process at a time each, so it waits for another that is reading them already. At most
   * 10 s; reading goes on after that. What an upstream does wrong is in its state (`listError`).
   *
   * @param owner whose wish it is, as `Holder.behind` has them: so many are read at once of each
   * @throws the reason of the signal
   */
  async refresh(ids: readonly string[], signal: AbortSignal, owner?: string): Promise<void> {
    if (ids.length === 0) return;
    signal.throwIfAborted();
    const enough = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    await untilAborted(this.refresher.refresh(ids, owner), enough);
    while (!enough.aborted && (await this.isClaimed(ids, enough)));
    signal.throwIfAborted();
  }

  /**
   * The definition of a tool that an upstream lists, as it is known now.
   *
   * @returns its input schema; undefined: it lists no such tool
   */
  async inputSchema(id: string, tool: string): Promise<JsonObject | undefined> {
    const row = await maybe<Pick<DefinitionRow, 'body'>>(this.dataSource, TOOL, [id, tool]);
    const definition = row && (JSON.parse(row.body) as unknown);
    return isObject(definition) && isObject(definition.inputSchema) ? definition.inputSchema : undefined;
  }

  /**
   * An answer shows that the lists of an upstream are out of date, and a call waits for them: reads them now, but at most
   * every 30 s in this process.
   *
   * @param owner who calls
   * @returns whether they were read
   * @throws DatabaseDeadlineError; the reason of the signal
   */
  async readSuspected(id: string, signal: AbortSignal, owner: string): Promise<boolean> {
    if (this.readAgain.has(id)) return false;
    await this.readings.join(id, signal, async () => {
      await this.refresh([id], new AbortController().signal, owner);
      this.readAgain.set(id, true);
    });
    return true;
  }

  /**
   * Notes that upstreams are in use, at most once a minute each: only those that are have their lists kept up to date.
   *
   * @param set the capabilities of the client
   */
  noteUse(ids: readonly string[], set: CapabilitySet = NO_CAPABILITIES): void {
    for (const id of ids) {
      if (this.isNewly(id)) this.used.add(id);
      if (set !== NO_CAPABILITIES && this.isNewly(`${id} ${set}`)) this.usedSets.push([id, set]);
    }
    if (this.used.size + this.usedSets.length > 0)
      this.timer ??= setTimeout(() => void outsideRequests(() => this.writeUses()), GATHER_MS).unref();
  }

  /**
   * An upstream says itself that its lists have changed, on the stream of a call: they are read again soon, at most once a
   * second, and less often if it goes on.
   */
  announced(id: string): void {
    let changed = this.changing.get(id);
    if (!changed) {
      changed = new BackoffThrottle(MIN_PAUSE_MS, MAX_PAUSE_MS, () => this.makeDue(id));
      this.changing.set(id, changed);
    }
    changed.call();
  }

  /** An answer shows that the lists of an upstream may be out of date: they are read again, at most every 30 s. */
  suspect(id: string): void {
    if (this.suspected.has(id)) return;
    this.suspected.set(id, true);
    outsideRequests(() => execute(this.dataSource, SUSPECT, [id])).catch((error: unknown) => this.debug(error));
  }

  /**
   * Must be called before the application has started.
   *
   * @param listener receives the upstream whose definitions or state have changed; undefined: any may have, because
   *   notifications were lost for a while
   */
  onChange(listener: (upstreamId: string | undefined) => void): void {
    this.listeners.push(listener);
  }

  /** @returns whether another process reads the lists of any of these; then it may have done so meanwhile */
  private async isClaimed(ids: readonly string[], signal: AbortSignal): Promise<boolean> {
    const news = new AbortController();
    const wake = (upstreamId: string | undefined) => {
      if (upstreamId === undefined || ids.includes(upstreamId)) news.abort();
    };
    // Before it looks, so that nothing is missed in between.
    this.wakes.add(wake);
    try {
      const { claimed } = await one<{ claimed: boolean }>(this.dataSource, IS_CLAIMED, [ids]);
      if (claimed)
        await sleep(LOOK_MS, undefined, { signal: AbortSignal.any([signal, news.signal]) }).catch(() => undefined);
      return claimed;
    } finally {
      this.wakes.delete(wake);
    }
  }

  private isNewly(use: string): boolean {
    if (this.noted.has(use)) return false;
    this.noted.set(use, true);
    return true;
  }

  private async writeUses(): Promise<void> {
    this.timer = undefined;
    const [ids, sets] = [[...this.used], this.usedSets];
    [this.used, this.usedSets] = [new Set(), []];
    const noted = (error: unknown) => this.debug(error);
    if (ids.length > 0) await execute(this.dataSource, NOTE_USE, [ids]).catch(noted);
    if (sets.length > 0)
      await execute(this.dataSource, NOTE_SETS, [sets.map(([id]) => id), sets.map(([, set]) => set)]).catch(noted);
  }

  private makeDue(id: string): void {
    outsideRequests(() => execute(this.dataSource, MAKE_DUE, [id])).catch((error: unknown) => this.debug(error));
  }

  /** The next use notes it again. */
  private debug(error: unknown): void {
    this.logger.debug(`The use of upstreams was not noted: ${messageOf(error)}`);
  }
}

function stateOf(row: StateRow, credential: UpstreamCredential | undefined): UpstreamState {
  const { id, url, headers, modern, legacy, capabilities, instructions } = row;
  return {
    ...{ id, url, headers, modern, legacy, capabilities, instructions },
    ...(credential ? { credential } : {}),
    onlyEra: row.only_era,
    serverInfo: row.server_info,
    listedAt: row.listed_at,
    listError: row.list_error,
    leftOut: row.left_out,
    ttlMs: row.ttl_ms,
  };
}

/** What an upstream is known by. The digest of one without a credential is as it was before there were any. */
function keyOf({ url, headers, credential }: EnsuredUpstream) {
  const { href } = new URL(url);
  const text = canonicalJson(lowerCased(headers));
  const [credentialId, fills] = [credential?.id ?? null, canonicalJson(credential?.placements ?? {})];
  const words = credentialId === null ? [href, text] : [href, text, credentialId, fills];
  const digest = createHash('sha256').update(words.join('\n')).digest();
  return { url: href, headers: text, credentialId, fills, digest };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Never throws: what goes on is not its business. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work.catch(() => undefined), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
