import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import type { Columns } from '../../database/columns';
import { outsideRequests } from '../../database/deadline';
import { execute, many, maybe, one } from '../../database/statements';
import { canonicalJson } from '../compile/definition-digest';
import type { JsonObject } from '../edge/json-rpc';
import { isLegacy, type LegacyRevision } from '../edge/revisions';
import { beginSession, type HandshakeTools } from './legacy-handshake';
import { SingleFlights } from './single-flights';
import { type AddressRow, type Upstream, upstreamOf, type UpstreamSessionRef } from './upstream';
import { UpstreamEras } from './upstream-eras';
import { UpstreamFailure } from './upstream-failure';
import type { UpstreamSession } from './upstream-session.entity';
import { UpstreamWire } from './upstream-wire';
import {
  CLAIM_SESSION,
  FIND_SESSION,
  FINISH_SESSION,
  HOLD_SESSION,
  IS_THERE,
  LEAVE_SESSIONS,
  RELEASE_SESSION,
  REMOVE_IDLE,
  SESSION_TO_ANSWER,
  TOUCH_SESSION,
} from './upstream-sessions.sql';

/** For how long this process does not look whether another one has begun a session again. */
const MEMORY_MS = 5 * 60_000;
const MOST_REMEMBERED = 10_000;
const TOUCH_MS = 60_000;
/** While another process begins the session: soon at first, and less often the longer that takes. */
const LOOK_MS = 100;
const MOST_LOOK_MS = 1_000;
const PATIENCE_MS = 25_000;
/** A session that may be lost, as far as one can guess, is not begun again sooner after the time before. */
const GUESS_EVERY_MS = 10_000;
const AT_ONCE = 100;
/** Of sessions that are ended. */
const ENDED_AT_ONCE = 20;

/** For whom a session is, and with whom. */
export interface SessionOwner {
  readonly upstream: Upstream;
  readonly principal: string;
  readonly entryId: string;
  /** The key of the session of the client for whom it is; undefined: it has none. */
  readonly holder: string | undefined;
  /** The revision to ask for. */
  readonly wanted: LegacyRevision;
  readonly capabilities: JsonObject;
}

/** A session as any process can use it. */
export interface LegacyLink {
  readonly revision: LegacyRevision;
  readonly sessionId: string | undefined;
  readonly ref: UpstreamSessionRef;
  /** As it is stored: two sessions never have the same. */
  readonly sealed: Buffer | null;
}

type Key = readonly [principal: string, entryId: string, upstreamId: string, capabilities: Buffer];
type SessionRow = Pick<Columns<UpstreamSession>, 'revision' | 'session_id'>;
type EndedRow = Omit<Columns<UpstreamSession>, 'upstream' | 'used_at' | 'holders'> & AddressRow;

/**
 * Sessions with upstreams of the legacy era. They are in the database, so that any process can use them, each for one
 * principal, entry and set of capabilities; nobody waits for an idle one, which is ended after half an hour.
 *
 * Only one process begins a session: it claims the row, and the others look at it until it is done. That takes no
 * connection to the database while an upstream takes its time.
 */
@Injectable()
export class UpstreamSessions {
  private readonly keys: Keyring;
  private readonly tools: HandshakeTools;
  private readonly memory = new LRUCache<string, LegacyLink>({ max: MOST_REMEMBERED, ttl: MEMORY_MS });
  private readonly touched = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: TOUCH_MS });
  /** Who is known to be remembered as a user of which session. */
  private readonly held = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: MEMORY_MS });
  /** Sessions that were guessed to be lost, by name: of each the last one. */
  private readonly guessed = new LRUCache<string, LegacyLink>({ max: MOST_REMEMBERED, ttl: GUESS_EVERY_MS });
  private readonly flights = new SingleFlights<LegacyLink>();

  constructor(
    private readonly dataSource: DataSource,
    secrets: Secrets,
    private readonly wire: UpstreamWire,
    eras: UpstreamEras,
  ) {
    this.keys = secrets.derive('upstream sessions');
    this.tools = { wire, eras };
  }

  /**
   * @param signal ends the waiting, not the beginning of a session, which others may wait for
   * @returns the session, begun if there is none
   * @throws NotOfEraError; UpstreamFailure; the reason of the signal
   */
  async of(owner: SessionOwner, signal: AbortSignal): Promise<LegacyLink> {
    const key = keyOf(owner);
    const name = nameOf(key);
    const remembered = this.memory.get(name);
    if (remembered && (await this.hold(owner, key, remembered))) return remembered;
    // A client has ended it, or another process has begun it again.
    this.memory.delete(name);
    const link = await this.flights.join(name, signal, () => this.obtain(owner, key, undefined));
    await this.hold(owner, key, link);
    return link;
  }

  /**
   * Begins a session again that the upstream does not know any more; once, whoever asks for it.
   *
   * @param loss whether the upstream has said so, or that is only a guess (`sessionLoss`): what a client asks for could bring
   *   that about as often as it likes
   * @returns undefined where it is only a guess, and the one before was guessed to be lost just now
   * @throws NotOfEraError; UpstreamFailure; the reason of the signal
   */
  async renew(
    owner: SessionOwner,
    lost: LegacyLink,
    loss: 'said' | 'guessed',
    signal: AbortSignal,
  ): Promise<LegacyLink | undefined> {
    const key = keyOf(owner);
    const name = nameOf(key);
    const remembered = this.memory.get(name);
    if (remembered && !isSame(remembered, lost)) return remembered;
    if (loss === 'guessed') {
      const before = this.guessed.get(name);
      if (before && !isSame(before, lost)) return undefined;
      if (!before) this.guessed.set(name, lost);
    }
    for (;;) {
      this.memory.delete(name);
      const link = await this.flights.join(name, signal, () => this.obtain(owner, key, lost));
      // Another request may have looked it up before anybody knew that it is lost.
      if (lost.sealed === null || !same(link.sealed, lost.sealed)) return link;
    }
  }

  /**
   * A session of a client has ended: ends those that nobody else uses, there in the background. Others of this principal
   * with the same capabilities go on with theirs, which may be the same.
   *
   * @param holder its key
   */
  async leave(principal: string, holder: string): Promise<void> {
    const rows = await many<EndedRow>(this.dataSource, LEAVE_SESSIONS, [principal, bytesOf(holder)]);
    for (const row of rows) this.memory.delete(nameOf(keyOfRow(row)));
    outsideRequests(() => this.endThere(rows)).catch(() => undefined);
  }

  /** @returns the session that a request of an upstream came from, if it is this principal's and not over */
  async find(
    ref: UpstreamSessionRef,
    principal: string,
  ): Promise<{ upstream: Upstream; link: LegacyLink } | undefined> {
    const key: Key = [principal, ref.entryId, ref.upstreamId, Buffer.from(ref.capabilities, 'base64url')];
    const row = await maybe<SessionRow & AddressRow>(this.dataSource, SESSION_TO_ANSWER, key);
    const link = row && this.linkOf(row, key);
    return link && { link, upstream: upstreamOf(row) };
  }

  /**
   * Ends sessions that nobody has used for half an hour, there and here (`RowRetention`).
   *
   * @returns whether there may be more
   */
  async removeSome(): Promise<boolean> {
    const rows = await many<EndedRow>(this.dataSource, REMOVE_IDLE, [AT_ONCE]);
    await this.endThere(rows);
    return rows.length === AT_ONCE;
  }

  private async endThere(rows: readonly EndedRow[]): Promise<void> {
    for (let done = 0; done < rows.length; done += ENDED_AT_ONCE) {
      const some = rows.slice(done, done + ENDED_AT_ONCE).map(async (row) => {
        const link = this.linkOf(row, keyOfRow(row));
        if (link?.sessionId !== undefined) await this.wire.end(upstreamOf(row), link.revision, link.sessionId);
      });
      await Promise.all(some);
    }
  }

  /**
   * Remembers that a client's session uses it, so that another one that ends does not end it.
   *
   * @returns whether it is still the present one, as far as this process knows
   */
  private async hold({ holder }: SessionOwner, key: Key, link: LegacyLink): Promise<boolean> {
    const name = nameOf(key);
    const claim = `${name} ${holder ?? ''}`;
    if (this.held.has(claim)) {
      this.touch(name, key);
      return true;
    }
    const isPresent =
      (await execute(this.dataSource, HOLD_SESSION, [...key, bytesOf(holder ?? ''), link.sealed])) === 1;
    if (isPresent) this.held.set(claim, true);
    return isPresent;
  }

  private async obtain(owner: SessionOwner, key: Key, lost: LegacyLink | undefined): Promise<LegacyLink> {
    const until = performance.now() + PATIENCE_MS;
    let gone = lost && { sealed: lost.sealed };
    let lookMs = LOOK_MS;
    for (let misses = 0; performance.now() < until;) {
      const row = await maybe<SessionRow>(this.dataSource, FIND_SESSION, key);
      const isGone = row && gone && same(row.session_id, gone.sealed);
      if (row && row.revision !== '' && !isGone) {
        const link = this.linkOf(row, key);
        if (link) return this.remember(key, link);
        // Sealed by a key that is no longer accepted.
        gone = { sealed: row.session_id };
      }
      const claim = await maybe<Pick<Columns<UpstreamSession>, 'used_at'>>(this.dataSource, CLAIM_SESSION, [
        ...key,
        gone !== undefined,
        gone?.sealed ?? null,
      ]);
      if (claim) {
        const link = await this.begin(owner, key, claim.used_at);
        if (link) return this.remember(key, link);
        continue;
      }
      if (!row && ++misses === 3) {
        const { there } = await one<{ there: boolean }>(this.dataSource, IS_THERE, [owner.upstream.id]);
        if (!there)
          throw new UpstreamFailure('upstream_error', 'Its credential has changed this moment; try again.', false);
        throw new UpstreamFailure(
          'rate_limited',
          'There are too many sessions with upstreams; idle ones end after half an hour.',
          false,
        );
      }
      await sleep(lookMs);
      lookMs = Math.min(lookMs * 1.5, MOST_LOOK_MS);
    }
    throw new UpstreamFailure('upstream_timeout', 'It did not begin a session in time.', false);
  }

  /** @returns undefined if it took so long that another process began one as well */
  private async begin(owner: SessionOwner, key: Key, claimedAt: Date): Promise<LegacyLink | undefined> {
    const { upstream, wanted, capabilities } = owner;
    const { signal } = new AbortController();
    try {
      const { revision, sessionId } = await beginSession(this.tools, upstream, { wanted, capabilities, signal });
      const sealed = sessionId === undefined ? null : sealText(this.keys, contextOf(key), sessionId);
      let isOurs = false;
      try {
        isOurs = (await execute(this.dataSource, FINISH_SESSION, [...key, claimedAt, revision, sealed])) === 1;
      } finally {
        // In the background: somebody waits for what comes of this.
        if (!isOurs && sessionId !== undefined) void this.wire.end(upstream, revision, sessionId);
      }
      return isOurs ? { revision, sessionId, sealed, ref: refOf(key) } : undefined;
    } catch (error) {
      // Whoever comes next tries again; at the latest when the claim has ended.
      await execute(this.dataSource, RELEASE_SESSION, [...key, claimedAt]).catch(() => undefined);
      throw error;
    }
  }

  private remember(key: Key, link: LegacyLink): LegacyLink {
    const name = nameOf(key);
    this.memory.set(name, link);
    this.touch(name, key);
    return link;
  }

  /** In the background: a use that is not noted only ends the session sooner. */
  private touch(name: string, key: Key): void {
    if (this.touched.has(name)) return;
    this.touched.set(name, true);
    outsideRequests(() => execute(this.dataSource, TOUCH_SESSION, key)).catch(() => undefined);
  }

  private linkOf({ revision, session_id: sealed }: SessionRow, key: Key): LegacyLink | undefined {
    if (!isLegacy(revision)) return undefined;
    if (sealed === null) return { revision, sessionId: undefined, sealed, ref: refOf(key) };
    const opened = tryUnsealText(this.keys, contextOf(key), sealed);
    return opened && { revision, sessionId: opened.text, sealed, ref: refOf(key) };
  }
}

/**
 * The capabilities decide what an upstream may ask for, and the revision how: sessions of others would not do. Nor would one
 * that was begun with other values of the credential.
 */
function keyOf({ principal, entryId, upstream, wanted, capabilities }: SessionOwner): Key {
  const digest = createHash('sha256')
    .update(
      canonicalJson(upstream.credential ? [wanted, capabilities, upstream.credential.version] : [wanted, capabilities]),
    )
    .digest();
  return [principal, entryId, upstream.id, digest];
}

function keyOfRow({ principal, entry_id, upstream_id, capabilities }: EndedRow): Key {
  return [principal, entry_id, upstream_id, capabilities];
}

function bytesOf(holder: string): Buffer {
  return Buffer.from(holder, 'base64url');
}

function nameOf([principal, entryId, upstreamId, capabilities]: Key): string {
  return `${entryId} ${upstreamId} ${capabilities.toString('base64url')} ${principal}`;
}

function refOf([, entryId, upstreamId, capabilities]: Key): UpstreamSessionRef {
  return { upstreamId, entryId, capabilities: capabilities.toString('base64url') };
}

/** Authenticated with the id, so that the row of another principal is of no use. */
function contextOf(key: Key): string {
  return `upstream session ${nameOf(key)}`;
}

/** A session without an id is only known to be the same as itself. */
function isSame(one: LegacyLink, other: LegacyLink): boolean {
  return one === other || (one.sealed !== null && same(one.sealed, other.sealed));
}

function same(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
