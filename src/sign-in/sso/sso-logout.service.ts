import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EndedTokens } from '../../auth/ended-tokens';
import { type ProviderSessions, Sessions } from '../../auth/sessions/sessions.service';
import { Clock } from '../../config/clock';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { LogoutTokenError, MAX_AGE_S, readLogoutToken } from './logout-token';
import type { RelyingParty } from './relying-party';
import { RECEIVE } from './sso-logout.sql';

/** Longer than a token is accepted, with the leeway of the clocks. */
const KEPT_MS = 2 * MAX_AGE_S * 1_000;

/** Ends sessions because the provider at which they began says so (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class SsoLogout {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly endedTokens: EndedTokens,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the sessions that the token names, at all replicas. Whether there were any is not said.
   *
   * @throws LogoutTokenError if it is not a logout token for us, or was received before; SsoFailure if the provider's keys
   *   cannot be found out
   */
  async end(party: RelyingParty, token: string): Promise<void> {
    const now = this.clock.now();
    const { issuer, subject, sid, id } = await readLogoutToken(party, token, now);
    const digest = hash('sha256', `${issuer}\n${id}`, 'buffer');
    const userIds = await inTransaction(this.dataSource, async (manager) => {
      const isNew = (await execute(manager, RECEIVE, [digest, new Date(now.getTime() + KEPT_MS)])) > 0;
      if (!isNew) throw new LogoutTokenError('it was received before');
      return this.sessions.endOfProvider(manager, { issuer, subject, sid } as ProviderSessions);
    });
    for (const userId of userIds) this.endedTokens.byAccount(userId);
  }
}
