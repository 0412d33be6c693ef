import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import type { Columns } from '../../database/columns';
import { outsideRequests } from '../../database/deadline';
import { Notifications } from '../../database/notifications';
import { execute, many, maybe, one } from '../../database/statements';
import { isLegacy } from '../protocol/revisions';
import { beginSession, type HandshakeTools } from './legacy-handshake';
import {
  bytesOf,
  contextOf,
  type EndedRow,
  type HeldSession,
  isSame,
  keyOf,
  keyOfRow,
  type LegacyLink,
  nameOf,
  refOf,
  same,
  type SessionKey,
  type SessionOwner,
} from './session-key';
import { SingleFlights } from './single-flights';
import { type AddressRow, upstreamOf, type UpstreamSessionRef } from './upstream';
import { UpstreamEras } from './upstream-eras';
import { UpstreamFailure } from '../protocol/upstream-failure';
import type { UpstreamSession } from './upstream-session.entity';
import { UpstreamWire } from './upstream-wire';
import {
  CLAIM_SESSION,
  DROP_SESSION,
  FIND_SESSION,
  FINISH_SESSION,
  FORGET_LEVEL,
  FORGET_SESSIONS,
  HELD_SESSIONS,
  HOLD_SESSION,
  IS_THERE,
  LEAVE_SESSIONS,
  RELEASE_SESSION,
  REMOVE_IDLE,
  SESSION_TO_ANSWER,
  SET_LEVEL,
  TOUCH_SESSION,
} from './upstream-sessions.sql';

/** Notified of the beginning of the names of sessions that are lost, or are to be forgotten. */
const LOST_CHANNEL = 'toolyard_upstream_sessions';

/** For how long this process does not look whether another one has begun a session again. */
const MEMORY_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;
const TOUCH_MS = 60_000;
/** While another process begins the session: soon at first, and less often the longer that takes. */
const LOOK_MS = 100;
const MAX_LOOK_MS = 1_000;
const PATIENCE_MS = 25_000;
/** A session that may be lost, as far as one can guess, is not begun again sooner after the time before. */
const GUESS_EVERY_MS = 10_000;
const AT_ONCE = 100;
/** Of sessions that are ended. */
const ENDED_AT_ONCE = 20;

type SessionRow = Pick<Columns<UpstreamSession>, 'revision' | 'session_id'>;

/**
 * Sessions with upstreams of the legacy era. They are in the database, so that any process can use them, each for one
 * principal, entry and set of capabilities; no one waits for an idle one, which is ended after half an hour.
 *
 * Only one process begins a session: it claims the row, and the others look at it until it is done. That takes no
 * connection to the database while an upstream takes its time.
 */
@Injectable()
export class UpstreamSessions {
  private readonly keys: Keyring;
  private readonly tools: HandshakeTools;
  private readonly memory = new LRUCache<string, LegacyLink>({ max: MAX_REMEMBERED, ttl: MEMORY_MS });
  private readonly touched = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: TOUCH_MS });
  /** Who is known to be remembered as a user of which session. */
  private readonly held = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: MEMORY_MS });
  /** Sessions that were guessed to be lost, by name: of each the last one. */
  private readonly guessed = new LRUCache<string, LegacyLink>({ max: MAX_REMEMBERED, ttl: GUESS_EVERY_MS });
  private readonly flights = new SingleFlights<LegacyLink>();

  constructor(
    private readonly dataSource: DataSource,
    secrets: Secrets,
    private readonly wire: UpstreamWire,
    eras: UpstreamEras,
    private readonly notifications: Notifications,
  ) {
    this.keys = secrets.derive('upstream sessions');
    this.tools = { wire, eras };
    notifications.listen(LOST_CHANNEL, (names) => this.unremember(names ?? ''));
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
   * Begins a session again that the upstream does not know any more; once, who asks for it.
   *
   * @param isSure whether the upstream has said so; otherwise that is only a guess, and what a client asks for could bring it
   *   about as often as it likes
   * @returns undefined where it is only a guess, and the one before was guessed to be lost just now and has not worked since
   * @throws NotOfEraError; UpstreamFailure; the reason of the signal
   */
  async renew(
    owner: SessionOwner,
    lost: LegacyLink,
    isSure: boolean,
    signal: AbortSignal,
  ): Promise<LegacyLink | undefined> {
    const key = keyOf(owner);
    const name = nameOf(key);
    const remembered = this.memory.get(name);
    if (remembered && !isSame(remembered, lost)) return remembered;
    if (!isSure && !this.mayGuess(lost)) return undefined;
    for (;;) {
      this.memory.delete(name);
      const link = await this.flights.join(name, signal, () => this.obtain(owner, key, lost));
      // Another request may have looked it up before anybody knew that it is lost.
      if (lost.sealed === null || !same(link.sealed, lost.sealed)) return link;
    }
  }

  /**
   * Forgets a session that the upstream does not know any more, in every process: the next call begins another one.
   *
   * @param isSure as for `renew`
   */
  async drop(owner: SessionOwner, lost: LegacyLink, isSure: boolean): Promise<void> {
    const key = keyOf(owner);
    const remembered = this.memory.get(lost.name);
    if (remembered && !isSame(remembered, lost)) return;
    if (!isSure && !this.mayGuess(lost)) return;
    this.memory.delete(lost.name);
    await execute(this.dataSource, DROP_SESSION, [...key, lost.sealed, lost.name]);
    const { sessionId, revision } = lost;
    // It may be a server that answers `ping` as if it did not know the session.
    if (!isSure && sessionId !== undefined) void this.wire.end(owner.upstream, revision, sessionId);
  }

  /** A request in a session was answered: if it is lost later, that may be guessed again at once. */
  noteWorking({ name }: LegacyLink): void {
    if (this.guessed.size > 0) this.guessed.delete(name);
  }

  /**
   * Forgets all sessions of these entries with these upstreams, in every process, and ends them there in the background.
   *
   * @param upstreamIds of the entries
   */
  async forget(entryIds: readonly string[], upstreamIds: readonly string[]): Promise<void> {
    for (;;) {
      const rows = await many<EndedRow>(this.dataSource, FORGET_SESSIONS, [entryIds, upstreamIds, AT_ONCE]);
      for (const row of rows) this.memory.delete(nameOf(keyOfRow(row)));
      outsideRequests(() => this.endThere(rows)).catch(() => undefined);
      if (rows.length < AT_ONCE) return;
    }
  }

  /**
   * A session of a client has ended: ends those that no one else uses, there in the background. Others of this principal
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
  async find(ref: UpstreamSessionRef, principal: string): Promise<HeldSession | undefined> {
    const key: SessionKey = [principal, ref.entryId, ref.upstreamId, Buffer.from(ref.capabilities, 'base64url')];
    const row = await maybe<SessionRow & AddressRow>(this.dataSource, SESSION_TO_ANSWER, key);
    const link = row && this.linkOf(row, key);
    return link && { link, upstream: upstreamOf(row) };
  }

  /** @returns the sessions that a session of a client uses, as far as that is known. @param holder its key */
  async heldBy(principal: string, holder: string): Promise<HeldSession[]> {
    const rows = await many<EndedRow>(this.dataSource, HELD_SESSIONS, [principal, bytesOf(holder), AT_ONCE]);
    return rows.flatMap((row) => {
      const link = this.linkOf(row, keyOfRow(row));
      return link ? [{ link, upstream: upstreamOf(row) }] : [];
    });
  }

  /**
   * Notes which level of log messages a session is set to now: the most verbose one of the clients that use it.
   *
   * @param own the level of one that has no session
   * @returns the level, by its place in `LOG_LEVELS`; undefined: it was set to that already
   */
  async levelOf({ key, sealed }: LegacyLink, own: number | null): Promise<number | undefined> {
    return (await maybe<{ log_level: number }>(this.dataSource, SET_LEVEL, [...key, sealed, own]))?.log_level;
  }

  /** The upstream has not taken the level of a session. */
  async forgetLevel({ key, sealed }: LegacyLink): Promise<void> {
    await execute(this.dataSource, FORGET_LEVEL, [...key, sealed]);
  }

  /**
   * Ends sessions that no one has used for half an hour, there and here (`RowRetention`).
   *
   * @returns whether there may be more
   */
  async removeSome(): Promise<boolean> {
    const rows = await many<EndedRow>(this.dataSource, REMOVE_IDLE, [AT_ONCE]);
    await this.endThere(rows);
    return rows.length === AT_ONCE;
  }

  /** @returns whether it is not the second guess within a short time */
  private mayGuess(lost: LegacyLink): boolean {
    const before = this.guessed.get(lost.name);
    if (before && !isSame(before, lost)) return false;
    if (!before) this.guessed.set(lost.name, lost);
    return true;
  }

  /** @param names the beginning of the names of sessions; empty: of any */
  private unremember(names: string): void {
    if (names === '') this.memory.clear();
    else for (const name of [...this.memory.keys()]) if (name.startsWith(names)) this.memory.delete(name);
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
  private async hold({ holder }: SessionOwner, key: SessionKey, link: LegacyLink): Promise<boolean> {
    const name = nameOf(key);
    const claim = `${name} ${holder ?? ''}`;
    // While this process hears nothing, it asks whether another one knows that it is lost.
    if (this.held.has(claim) && this.notifications.connected) {
      this.touch(name, key);
      return true;
    }
    const isPresent =
      (await execute(this.dataSource, HOLD_SESSION, [...key, bytesOf(holder ?? ''), link.sealed])) === 1;
    if (isPresent) this.held.set(claim, true);
    return isPresent;
  }

  private async obtain(owner: SessionOwner, key: SessionKey, lost: LegacyLink | undefined): Promise<LegacyLink> {
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
      lookMs = Math.min(lookMs * 1.5, MAX_LOOK_MS);
    }
    throw new UpstreamFailure('upstream_timeout', 'It did not begin a session in time.', false);
  }

  /** @returns undefined if it took so long that another process began one as well */
  private async begin(owner: SessionOwner, key: SessionKey, claimedAt: Date): Promise<LegacyLink | undefined> {
    const { upstream, wanted, capabilities } = owner;
    const { signal } = new AbortController();
    try {
      const { revision, sessionId } = await beginSession(this.tools, upstream, { wanted, capabilities, signal });
      const sealed = sessionId === undefined ? null : sealText(this.keys, contextOf(key), sessionId);
      let isOurs = false;
      try {
        isOurs = (await execute(this.dataSource, FINISH_SESSION, [...key, claimedAt, revision, sealed])) === 1;
      } finally {
        // In the background: someone waits for what comes of this.
        if (!isOurs && sessionId !== undefined) void this.wire.end(upstream, revision, sessionId);
      }
      return isOurs ? { key, name: nameOf(key), revision, sessionId, sealed, ref: refOf(key) } : undefined;
    } catch (error) {
      // Whoever comes next tries again; at the latest when the claim has ended.
      await execute(this.dataSource, RELEASE_SESSION, [...key, claimedAt]).catch(() => undefined);
      throw error;
    }
  }

  private remember(key: SessionKey, link: LegacyLink): LegacyLink {
    const name = nameOf(key);
    this.memory.set(name, link);
    this.touch(name, key);
    return link;
  }

  /** In the background: a use that is not noted only ends the session sooner. */
  private touch(name: string, key: SessionKey): void {
    if (this.touched.has(name)) return;
    this.touched.set(name, true);
    outsideRequests(() => execute(this.dataSource, TOUCH_SESSION, key)).catch(() => undefined);
  }

  private linkOf({ revision, session_id: sealed }: SessionRow, key: SessionKey): LegacyLink | undefined {
    if (!isLegacy(revision)) return undefined;
    const link = { key, name: nameOf(key), revision, sealed, ref: refOf(key) };
    if (sealed === null) return { ...link, sessionId: undefined };
    const opened = tryUnsealText(this.keys, contextOf(key), sealed);
    return opened && { ...link, sessionId: opened.text };
  }
}
