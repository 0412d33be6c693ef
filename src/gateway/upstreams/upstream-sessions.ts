import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Secrets } from '../../config/secrets';
import { outsideRequests } from '../../database/deadline';
import { Notifications } from '../../database/notifications';
import { execute, many, maybe } from '../../database/statements';
import {
  bytesOf,
  type EndedRow,
  type HeldSession,
  isSame,
  keyOf,
  keyOfRow,
  type LegacyLink,
  nameOf,
  same,
  type SessionKey,
  type SessionOwner,
} from './session-key';
import { SessionOpening } from './session-opening';
import { SingleFlights } from './single-flights';
import { type SessionRow, StoredSessions } from './stored-sessions';
import { type AddressRow, upstreamOf, type UpstreamSessionRef } from './upstream';
import { UpstreamEras } from './upstream-eras';
import {
  DROP_SESSION,
  FORGET_LEVEL,
  FORGET_SESSIONS,
  HELD_SESSIONS,
  HOLD_SESSION,
  LEAVE_SESSIONS,
  REMOVE_IDLE,
  SESSION_TO_ANSWER,
  SET_LEVEL,
  TOUCH_SESSION,
} from './upstream-sessions.sql';
import { UpstreamWire } from './upstream-wire';

/** Notified of the beginning of the names of sessions that are lost, or are to be forgotten. */
const LOST_CHANNEL = 'toolyard_upstream_sessions';

/** For how long this process does not look whether another one has begun a session again. */
const MEMORY_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;
const TOUCH_MS = 60_000;
/** A session that may be lost, as far as one can guess, is not begun again sooner after the time before. */
const GUESS_EVERY_MS = 10_000;
const AT_ONCE = 100;
/** Sessions that are ended at their upstreams at the same time. */
const ENDED_AT_ONCE = 20;

/**
 * Sessions with upstreams of the legacy era. They are in the database, so that any process can use them, each for one
 * principal, entry and set of capabilities; no one waits for an idle one, which is ended after half an hour.
 */
@Injectable()
export class UpstreamSessions {
  private readonly stored: StoredSessions;
  private readonly opening: SessionOpening;
  private readonly memory = new LRUCache<string, LegacyLink>({ max: MAX_REMEMBERED, ttl: MEMORY_MS });
  private readonly touched = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: TOUCH_MS });
  /** Which sessions of clients are noted in the database as users of which session. */
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
    this.stored = new StoredSessions(secrets);
    this.opening = new SessionOpening(dataSource, this.stored, { wire, eras });
    notifications.listen(LOST_CHANNEL, (names) => this.unremember(names ?? ''));
  }

  /**
   * The session of an owner.
   *
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
    const link = await this.open(owner, key, undefined, signal);
    await this.hold(owner, key, link);
    return link;
  }

  /**
   * Begins a session again that the upstream does not know any more; once, however many requests ask for it.
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
      const link = await this.open(owner, key, lost, signal);
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
      this.endInBackground(rows);
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
    this.endInBackground(rows);
  }

  /** @returns the session that a request of an upstream came from, if it is this principal's and not over */
  async find(ref: UpstreamSessionRef, principal: string): Promise<HeldSession | undefined> {
    const key: SessionKey = [principal, ref.entryId, ref.upstreamId, Buffer.from(ref.capabilities, 'base64url')];
    const row = await maybe<SessionRow & AddressRow>(this.dataSource, SESSION_TO_ANSWER, key);
    const link = row && this.stored.open(row, key);
    return link && { link, upstream: upstreamOf(row) };
  }

  /** @returns the sessions that a session of a client uses, as far as that is known. @param holder its key */
  async heldBy(principal: string, holder: string): Promise<HeldSession[]> {
    const rows = await many<EndedRow>(this.dataSource, HELD_SESSIONS, [principal, bytesOf(holder), AT_ONCE]);
    return rows.flatMap((row) => {
      const link = this.stored.open(row, keyOfRow(row));
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
    await this.endAtUpstreams(rows);
    return rows.length === AT_ONCE;
  }

  /** Once for all requests of this process that need it at the same time. */
  private open(
    owner: SessionOwner,
    key: SessionKey,
    lost: LegacyLink | undefined,
    signal: AbortSignal,
  ): Promise<LegacyLink> {
    const name = nameOf(key);
    return this.flights.join(name, signal, async () => {
      const link = await this.opening.open(owner, key, lost);
      this.memory.set(name, link);
      this.touch(name, key);
      return link;
    });
  }

  /**
   * Remembers that a client's session uses it, so that another one that ends does not end it.
   *
   * @returns whether it is still the present one, as far as this process knows
   */
  private async hold({ holder = '' }: SessionOwner, key: SessionKey, link: LegacyLink): Promise<boolean> {
    const name = nameOf(key);
    const use = `${name} ${holder}`;
    // Without notifications, the database is asked whether another process knows that it is lost.
    if (this.held.has(use) && this.notifications.connected) {
      this.touch(name, key);
      return true;
    }
    const held = await execute(this.dataSource, HOLD_SESSION, [...key, bytesOf(holder), link.sealed]);
    if (held !== 1) return false;
    this.held.set(use, true);
    return true;
  }

  /** In the background: a use that is not noted only ends the session sooner. */
  private touch(name: string, key: SessionKey): void {
    if (this.touched.has(name)) return;
    this.touched.set(name, true);
    outsideRequests(() => execute(this.dataSource, TOUCH_SESSION, key)).catch(() => undefined);
  }

  /** @returns whether no other session of the same name was guessed to be lost within a short time */
  private mayGuess(lost: LegacyLink): boolean {
    const guessedBefore = this.guessed.get(lost.name);
    if (guessedBefore) return isSame(guessedBefore, lost);
    this.guessed.set(lost.name, lost);
    return true;
  }

  /** @param prefix of the names of sessions; empty: all */
  private unremember(prefix: string): void {
    if (prefix === '') return this.memory.clear();
    for (const name of [...this.memory.keys()]) if (name.startsWith(prefix)) this.memory.delete(name);
  }

  private endInBackground(rows: readonly EndedRow[]): void {
    for (const row of rows) this.memory.delete(nameOf(keyOfRow(row)));
    outsideRequests(() => this.endAtUpstreams(rows)).catch(() => undefined);
  }

  private async endAtUpstreams(rows: readonly EndedRow[]): Promise<void> {
    for (let done = 0; done < rows.length; done += ENDED_AT_ONCE)
      await Promise.all(rows.slice(done, done + ENDED_AT_ONCE).map((row) => this.endAtUpstream(row)));
  }

  private async endAtUpstream(row: EndedRow): Promise<void> {
    const link = this.stored.open(row, keyOfRow(row));
    if (link?.sessionId !== undefined) await this.wire.end(upstreamOf(row), link.revision, link.sessionId);
  }
}
