import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { Notifications } from '../../database/notifications';
import { type Connection, execute, many, maybe } from '../../database/statements';
import { NOTE_SIGN_IN } from '../../users/account-administration.sql';
import { AccountLog, byUser } from '../../users/account-log/account-log';
import { EndedTokens } from '../ended-tokens';
import type { EmailState } from '../verified-address';
import type { ProviderIdentity, Session } from './session';
import { HostCookie } from '../../http/host-cookie';
import { StoredSession } from './session.entity';
import { SessionMemory } from './session-memory';
import {
  END_LEAST_USED,
  END_OF_SID,
  END_OF_SUBJECT,
  END_OTHERS,
  END_SESSION,
  END_SESSIONS_OF,
  FIND_SESSION,
  TOUCH_SESSION,
} from './sessions.sql';

const HOUR_MS = 3_600_000;
export const IDLE_MS = 12 * HOUR_MS;
const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
const SEEN_NOTED_FOR_MS = 60_000;
const SECRET_BYTES = 32;
const MAX_DEVICE_LENGTH = 200;
/** Browsers in which one person can be signed in. */
export const MAX_SESSIONS = 100;

/** Sent by triggers, with the id of the session or of the account. */
const ENDED = 'sessions_ended';
const ACCOUNTS_CLOSED = 'accounts_closed';

interface SessionRow {
  id: string;
  user_id: string;
  email: string | null;
  name: string | null;
  is_platform_admin: boolean;
  methods: string[];
  signed_in_at: Date;
  proved_at: Date | null;
  last_seen_at: Date;
  expires_at: Date;
  identity_issuer: string | null;
  identity_subject: string | null;
  identity_email: string | null;
  identity_email_state: EmailState | null;
}

/** What a sign-in establishes. */
export interface NewSession {
  userId: string;
  methods: string[];
  /** When the person proved who they are; now if left out, null if nobody says. */
  provedAt?: Date | null;
  /** The network address, in canonical form. */
  address: string;
  /** By the company's identity provider, with its session id if it names one. */
  identity?: ProviderIdentity & { sid?: string };
}

/** Sessions of an identity provider: all of a subject, or one of them by its id there, or both. */
export type ProviderSessions = { issuer: string } & (
  { subject: string; sid?: string } | { subject?: undefined; sid: string }
);

/**
 * The sessions of people in browsers: a cookie with a random secret, whose digest is stored. Ends after 12 hours without
 * a request, and after 7 days, and with it the grants of programs that asked for no more (`ArtifactAdapter`). Each replica remembers a session for a minute while database notifications arrive.
 */
@Injectable()
export class Sessions implements OnModuleInit {
  /** The cookie, for those who only need to know whether a request has one. */
  readonly cookie: HostCookie;
  private readonly memory = new SessionMemory();
  private readonly currentOf = new WeakMap<IncomingMessage, Promise<Session | undefined>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    private readonly accountLog: AccountLog,
    private readonly endedTokens: EndedTokens,
    environment: Environment,
  ) {
    this.cookie = new HostCookie('toolyard', environment.publicUrl);
  }

  onModuleInit(): void {
    this.notifications.listen(ENDED, (id) => (id === undefined ? this.memory.forgetAll() : this.memory.forget(id)));
    this.notifications.listen(ACCOUNTS_CLOSED, () => this.memory.forgetAll());
  }

  /**
   * @param response if given, and the cookie of the request is no longer good, the cookie is cleared
   * @param asksDatabase whatever this process remembers (`verify_locally=false`)
   * @returns the session of the request's cookie; the same answer for the whole request
   */
  async current(
    request: IncomingMessage,
    response?: ServerResponse,
    asksDatabase = false,
  ): Promise<Session | undefined> {
    let current = asksDatabase ? undefined : this.currentOf.get(request);
    if (!current) {
      current = this.find(request, asksDatabase);
      this.currentOf.set(request, current);
    }
    const session = await current;
    if (!session && response && this.cookie.isIn(request)) this.cookie.clear(response);
    return session;
  }

  /** @returns the session of the request's cookie if this process remembers it, without asking the database */
  recall(request: IncomingMessage): Session | undefined {
    if (!this.notifications.connected) return undefined;
    const secret = this.cookie.read(request);
    return secret === undefined ? undefined : this.memory.recall(hash('sha256', secret, 'base64'), this.clock.now());
  }

  /**
   * Signs a person in: a session with a new secret, in place of the one of the request (no session fixation).
   *
   * @param manager of the transaction that checked the credential and holds the account open
   */
  async start(
    manager: EntityManager,
    request: IncomingMessage,
    response: ServerResponse,
    { userId, methods, provedAt, address, identity }: NewSession,
  ): Promise<void> {
    await this.end(manager, request);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const now = this.clock.now();
    await manager.getRepository(StoredSession).insert({
      id: newId(),
      digest: hash('sha256', secret, 'buffer'),
      userId,
      methods,
      signedInAt: now,
      provedAt: provedAt === undefined ? now : provedAt,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + ABSOLUTE_MS),
      address,
      device: deviceOf(request),
      identityIssuer: identity?.issuer ?? null,
      identitySubject: identity?.subject ?? null,
      identitySid: identity?.sid ?? null,
      identityEmail: identity?.email ?? null,
      identityEmailState: identity?.emailState ?? null,
    });
    await execute(manager, END_LEAST_USED, [userId, MAX_SESSIONS]);
    await execute(manager, NOTE_SIGN_IN, [userId, now]);
    await this.accountLog.record(manager, {
      action: 'session.started',
      userId,
      by: byUser(userId),
      subject: { type: 'session', id: null },
      address,
      data: { org_id: null, user_id: userId, methods, issuer: identity?.issuer ?? null },
    });
    this.currentOf.delete(request);
    this.cookie.write(response, secret, ABSOLUTE_MS / 1_000);
  }

  /**
   * Notes that the person of a session has proved again who they are, with a new secret for the cookie (a rise of
   * rights).
   *
   * @param methods those that were used just now
   */
  async confirm(
    manager: EntityManager,
    request: IncomingMessage,
    response: ServerResponse,
    { id, methods }: { id: string; methods: string[] },
  ): Promise<void> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const now = this.clock.now();
    await manager
      .getRepository(StoredSession)
      .update({ id }, { digest: hash('sha256', secret, 'buffer'), methods, signedInAt: now, provedAt: now });
    this.memory.forget(id);
    this.currentOf.delete(request);
    this.cookie.write(response, secret, ABSOLUTE_MS / 1_000);
  }

  /**
   * Ends the session of the request, if there is one.
   *
   * @param response if given, the cookie is cleared
   */
  async end(manager: EntityManager, request: IncomingMessage, response?: ServerResponse): Promise<void> {
    const secret = this.cookie.read(request);
    const [ended] =
      secret === undefined
        ? []
        : await many<Pick<SessionRow, 'user_id'>>(manager, END_SESSION, [hash('sha256', secret, 'buffer')]);
    if (ended) this.endedTokens.byAccount(ended.user_id);
    // Whether or not this request has asked whose it is: this process refuses it at once.
    const session = this.recall(request) ?? (await this.currentOf.get(request));
    if (session) this.memory.forget(session.id);
    this.currentOf.delete(request);
    if (response) this.cookie.clear(response);
  }

  /**
   * Ends sessions that began at an identity provider; a trigger notifies all replicas.
   *
   * @returns whose they were
   */
  async endOfProvider(manager: EntityManager, { issuer, subject, sid }: ProviderSessions): Promise<string[]> {
    const ended = await (subject === undefined
      ? many<Pick<SessionRow, 'user_id'>>(manager, END_OF_SID, [issuer, sid])
      : many<Pick<SessionRow, 'user_id'>>(manager, END_OF_SUBJECT, [issuer, subject, sid ?? null]));
    return [...new Set(ended.map(({ user_id }) => user_id))];
  }

  /**
   * Ends sessions of a person in any browser.
   *
   * @param sessionId by default all of them
   * @returns how many
   */
  async endOf(connection: Connection, userId: string, sessionId?: string): Promise<number> {
    const ended = await many<Pick<SessionRow, 'id'>>(connection, END_SESSIONS_OF, [userId, sessionId ?? null]);
    for (const { id } of ended) this.memory.forget(id);
    this.endedTokens.byAccount(userId);
    return ended.length;
  }

  /** Ends all sessions of a person except one. */
  async endOthers(manager: EntityManager, userId: string, keptId: string): Promise<void> {
    for (const { id } of await many<Pick<SessionRow, 'id'>>(manager, END_OTHERS, [userId, keptId]))
      this.memory.forget(id);
    this.endedTokens.byAccount(userId);
  }

  /** @returns whether a session has not been ended, even if this process still remembers it */
  isOpen(manager: EntityManager, id: string): Promise<boolean> {
    return manager.getRepository(StoredSession).existsBy({ id });
  }

  private async find(request: IncomingMessage, asksDatabase: boolean): Promise<Session | undefined> {
    const secret = this.cookie.read(request);
    if (secret === undefined) return undefined;
    const remembered = this.recall(request);
    if (remembered && !asksDatabase) return remembered;
    const now = this.clock.now();
    const { epoch } = this.memory;
    const [digest, idleSince] = [hash('sha256', secret, 'buffer'), new Date(now.getTime() - IDLE_MS)];
    const row = await maybe<SessionRow>(this.dataSource, FIND_SESSION, [digest, now, idleSince]);
    if (!row) {
      if (remembered) this.memory.forget(remembered.id);
      return undefined;
    }
    const due = new Date(now.getTime() - SEEN_NOTED_FOR_MS);
    if (row.last_seen_at <= due) await execute(this.dataSource, TOUCH_SESSION, [row.id, now, due]);
    const session = toSession(row);
    this.memory.remember(digest.toString('base64'), session, now, epoch);
    return session;
  }
}

function toSession(row: SessionRow): Session {
  const { identity_issuer: issuer, identity_subject: subject, identity_email: email } = row;
  const emailState = row.identity_email_state ?? 'missing';
  return {
    id: row.id,
    userId: row.user_id,
    email: row.email,
    name: row.name,
    isPlatformAdmin: row.is_platform_admin,
    methods: row.methods,
    signedInAt: row.signed_in_at,
    provedAt: row.proved_at,
    expiresAt: row.expires_at,
    ...(issuer !== null && subject !== null ? { identity: { issuer, subject, email, emailState } } : {}),
  };
}

/** Only for the person to tell their browsers apart. */
function deviceOf(request: IncomingMessage): string {
  const agent = request.headers['user-agent'] ?? '';
  return Array.from(agent.replace(/[^\x20-\x7e]/g, ' '))
    .slice(0, MAX_DEVICE_LENGTH)
    .join('')
    .trim();
}
