import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isUnavailable } from '../../database/database-errors';
import { execute, many } from '../../database/statements';
import { IDLE_MS } from '../sessions/sessions.service';
import { CLAIM_ENDED, REMOVE_CLAIMED } from '../sessions/sessions.sql';
import { type ArtifactRow, FIND_BY_SESSIONS } from './artifacts.sql';
import { AuthorizationServer, type SignOutNotice } from './authorization-server';

const AT_ONCE = 500;
/** Longer than a batch takes. After that, the sessions of a process that died are another one's. */
const LEASE_MS = 120_000;
/** Together with a last answer, which takes 2.5 s at most. */
const BATCH_MS = 60_000;
/** So that one that answers slowly leaves time for the others. */
const CLIENT_MS = 5_000;
/** Fewer than may be fetched at once (`OutboundFetch`), so that people who sign out meanwhile have their turn. */
const CLIENTS_AT_ONCE = 8;

/**
 * Removes sessions that ended by themselves, after 12 hours without a request or 7 days, and notifies the clients that
 * the person used (OpenID Connect Back-Channel Logout 1.0), as signing out does. One process claims a session for two
 * minutes: if it dies, another one notifies the clients, perhaps for a second time.
 */
@Injectable()
export class EndedSessions {
  private readonly logger = new Logger(EndedSessions.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly server: AuthorizationServer,
  ) {}

  /** @returns whether there may be more */
  async removeSome(now: Date): Promise<boolean> {
    const lease = new Date(now.getTime() + LEASE_MS);
    const idleSince = new Date(now.getTime() - IDLE_MS);
    const claimed = await many<{ id: string }>(this.dataSource, CLAIM_ENDED, [now, idleSince, lease, AT_ONCE]);
    if (claimed.length === 0) return false;
    const ids = claimed.map(({ id }) => id);
    const unfinished = await this.notify(ids);
    await execute(this.dataSource, REMOVE_CLAIMED, [ids.filter((id) => !unfinished.has(id)), lease]);
    return claimed.length >= AT_ONCE;
  }

  /** @returns the sessions of which a client could not be notified in time; their turn comes when the lease is over */
  private async notify(sessionIds: readonly string[]): Promise<Set<string>> {
    const unfinished = new Set<string>();
    if (!this.server.isHere) return unfinished;
    const rows = await many<ArtifactRow>(this.dataSource, FIND_BY_SESSIONS, [sessionIds]);
    const queues = new Map<string, SignOutNotice[]>();
    for (const notice of rows.flatMap((row) => this.server.noticesOf(row)))
      queues.set(notice.clientId, [...(queues.get(notice.clientId) ?? []), notice]);
    const deadline = Date.now() + BATCH_MS;
    const waiting = [...queues.values()].values();
    const work = async () => {
      for (const notices of waiting) for (const id of await this.notifyClient(notices, deadline)) unfinished.add(id);
    };
    await Promise.all(Array.from({ length: CLIENTS_AT_ONCE }, work));
    return unfinished;
  }

  /**
   * Notifies one client of several sign-outs. One that fails is not notified of the others: the next would fail as well.
   *
   * @returns the sessions for which the time was not enough
   */
  private async notifyClient(notices: readonly SignOutNotice[], deadline: number): Promise<string[]> {
    const until = Math.min(Date.now() + CLIENT_MS, deadline);
    for (const [index, notice] of notices.entries()) {
      if (Date.now() >= until) return notices.slice(index).map(({ sessionId }) => sessionId);
      try {
        await this.server.send(notice);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        const rest = notices.length - index;
        this.logger.warn(`${notice.clientId} was not notified of ${rest} ended sessions: ${(error as Error).message}`);
        return [];
      }
    }
    return [];
  }
}
