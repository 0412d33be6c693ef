import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Columns } from '../../database/columns';
import { execute, maybe, one } from '../../database/statements';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { beginSession, type HandshakeTools, type LegacyHandshake } from './legacy-handshake';
import { type LegacyLink, nameOf, refOf, same, type SessionKey, type SessionOwner } from './session-key';
import type { SessionRow, StoredSessions } from './stored-sessions';
import type { UpstreamSession } from './upstream-session.entity';
import { CLAIM_SESSION, FIND_SESSION, FINISH_SESSION, IS_THERE, RELEASE_SESSION } from './upstream-sessions.sql';

/** While another process begins the session: soon at first, and less often the longer that takes. */
const LOOK_MS = 100;
const MAX_LOOK_MS = 1_000;
const PATIENCE_MS = 25_000;
/** How often there may be no session and none can be claimed, before that is more than a race with another process. */
const MAX_REFUSED_CLAIMS = 3;

/** A session that must not be used any more, by its sealed id. */
type StaleSession = Pick<LegacyLink, 'sealed'>;

/**
 * Finds sessions in the database, or begins them. Only one process begins a session: it claims the row, and the others look at
 * it until it is done. That takes no connection to the database while an upstream takes its time.
 */
export class SessionOpening {
  constructor(
    private readonly dataSource: DataSource,
    private readonly stored: StoredSessions,
    private readonly tools: HandshakeTools,
  ) {}

  /**
   * @param lost a session that the upstream does not know any more
   * @returns the session that any process has begun, unless it is the lost one; else a new one
   * @throws NotOfEraError; UpstreamFailure
   */
  async open(owner: SessionOwner, key: SessionKey, lost: LegacyLink | undefined): Promise<LegacyLink> {
    const until = performance.now() + PATIENCE_MS;
    let stale: StaleSession | undefined = lost;
    let refusedClaims = 0;
    let lookMs = LOOK_MS;
    while (performance.now() < until) {
      const row = await maybe<SessionRow>(this.dataSource, FIND_SESSION, key);
      if (row && isBegun(row) && !isStale(row, stale)) {
        const link = this.stored.open(row, key);
        if (link) return link;
        // It was sealed by a key that is no longer accepted.
        stale = { sealed: row.session_id };
      }
      const claimedAt = await this.claim(key, stale);
      if (claimedAt) {
        const link = await this.begin(owner, key, claimedAt);
        if (link) return link;
        continue;
      }
      if (!row && ++refusedClaims === MAX_REFUSED_CLAIMS) throw await this.refusal(owner);
      await sleep(lookMs);
      lookMs = Math.min(lookMs * 1.5, MAX_LOOK_MS);
    }
    throw new UpstreamFailure('upstream_timeout', 'It did not begin a session in time.', false);
  }

  /** @returns when it was claimed; undefined: it is not up to this process to begin the session */
  private async claim(key: SessionKey, stale: StaleSession | undefined): Promise<Date | undefined> {
    type ClaimRow = Pick<Columns<UpstreamSession>, 'used_at'>;
    const values = [...key, stale !== undefined, stale?.sealed ?? null];
    const claim = await maybe<ClaimRow>(this.dataSource, CLAIM_SESSION, values);
    return claim?.used_at;
  }

  /** @returns undefined if it took so long that another process began one as well */
  private async begin(owner: SessionOwner, key: SessionKey, claimedAt: Date): Promise<LegacyLink | undefined> {
    const { upstream, wanted, capabilities } = owner;
    const { signal } = new AbortController();
    try {
      const begun = await beginSession(this.tools, upstream, { wanted, capabilities, signal });
      return await this.store(owner, key, claimedAt, begun);
    } catch (error) {
      // The next request tries again; at the latest when the claim has ended.
      await execute(this.dataSource, RELEASE_SESSION, [...key, claimedAt]).catch(() => undefined);
      throw error;
    }
  }

  /** @returns undefined, and ends the session, if it is not this process's claim any more */
  private async store(
    { upstream }: SessionOwner,
    key: SessionKey,
    claimedAt: Date,
    { revision, sessionId }: LegacyHandshake,
  ): Promise<LegacyLink | undefined> {
    const sealed = this.stored.seal(key, sessionId);
    let isStored = false;
    try {
      const values = [...key, claimedAt, revision, sealed];
      isStored = (await execute(this.dataSource, FINISH_SESSION, values)) === 1;
    } finally {
      // In the background, because a request waits for what comes of this.
      if (!isStored && sessionId !== undefined) void this.tools.wire.end(upstream, revision, sessionId);
    }
    return isStored ? { key, name: nameOf(key), ref: refOf(key), revision, sessionId, sealed } : undefined;
  }

  private async refusal({ upstream }: SessionOwner): Promise<UpstreamFailure> {
    const { there } = await one<{ there: boolean }>(this.dataSource, IS_THERE, [upstream.id]);
    if (!there)
      return new UpstreamFailure('upstream_error', 'Its credential has changed this moment; try again.', false);
    const detail = 'There are too many sessions with upstreams; idle ones end after half an hour.';
    return new UpstreamFailure('rate_limited', detail, false);
  }
}

/** Whether it is not only claimed. */
function isBegun({ revision }: SessionRow): boolean {
  return revision !== '';
}

function isStale(row: SessionRow, stale: StaleSession | undefined): boolean {
  return stale !== undefined && same(row.session_id, stale.sealed);
}
