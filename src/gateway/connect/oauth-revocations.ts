import { Injectable, Logger } from '@nestjs/common';
import { outsideRequests } from '../../database/deadline';
import type { Connection } from '../../database/statements';
import { ACCESS_TOKEN, REFRESH_TOKEN } from '../credentials/credential-kinds';
import { CredentialStore } from '../credentials/credential-store';
import { Revocations } from '../credentials/oauth-ports';
import { OAuthClient } from './oauth-client';
import { TokenEndpoints } from './token-endpoints';
import type { TokenEndpoint } from './token-endpoint';

/**
 * Gives tokens back to the server that gave them (RFC 7009), where it takes them. Best effort: what was deleted here is gone in
 * any case, and no one waits for it.
 */
@Injectable()
export class OAuthRevocations extends Revocations {
  private readonly logger = new Logger(OAuthRevocations.name);

  constructor(
    private readonly store: CredentialStore,
    private readonly endpoints: TokenEndpoints,
    private readonly client: OAuthClient,
  ) {
    super();
  }

  async of(connection: Connection, credentialId: string): Promise<(() => void) | undefined> {
    try {
      const opened = await this.store.open(connection, credentialId);
      const isOAuth = opened?.credential.kind === 'OAUTH' || opened?.credential.kind === 'OAUTH_CLIENT';
      if (!opened || !isOAuth || opened.credential.revocation_endpoint === null) return undefined;
      const place = await this.endpoints.of(opened);
      return place && (() => outsideRequests(() => void this.giveBack(place, opened.values)));
    } catch (error) {
      // One that no key opens must not be kept for that.
      this.logger.warn(`Tokens of credential ${credentialId} are not given back: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** The refresh token first: most servers end the whole grant with it (RFC 7009, section 2.1). */
  private async giveBack(place: TokenEndpoint, values: ReadonlyMap<string, string>): Promise<void> {
    for (const hint of [REFRESH_TOKEN, ACCESS_TOKEN] as const) {
      const token = values.get(hint);
      if (token === undefined) continue;
      try {
        await this.client.revoke(place, token, hint);
      } catch (error) {
        this.logger.warn(`${new URL(place.issuer).host} did not take a token back: ${(error as Error).message}`);
      }
    }
  }
}
