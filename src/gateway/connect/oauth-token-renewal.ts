import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { CredentialStore } from '../credentials/credential-store';
import { TokenRenewal } from '../credentials/oauth-ports';
import { OAuthTokens } from './oauth-tokens';

/** As long before its end as the wire asks for another token. */
const EARLY_MS = 60_000;
/** How long a call waits for another token. */
const PATIENCE_MS = 25_000;

/** Renews tokens for the wire. */
@Injectable()
export class OAuthTokenRenewal extends TokenRenewal {
  private readonly logger = new Logger(OAuthTokenRenewal.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
    private readonly tokens: OAuthTokens,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async renew(credentialId: string, used: string | undefined, serverUrl: string): Promise<boolean> {
    try {
      const known = await this.store.find(this.dataSource, credentialId);
      if (!known) return false;
      const left = known.expires_at === null ? Infinity : known.expires_at.getTime() - this.clock.now().getTime();
      // One that still had some time was refused; one that is about to end may still be good.
      const isRefused = left <= 0 || left > EARLY_MS;
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const wish = { credentialId, usedToken: used, isRefused, serverUrl, signal };
      return (await this.tokens.renew(wish)).kind === 'renewed';
    } catch (error) {
      this.logger.warn(`The tokens of credential ${credentialId} were not renewed: ${(error as Error).message}`);
      return false;
    }
  }
}
