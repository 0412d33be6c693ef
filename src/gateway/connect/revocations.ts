import { Injectable, Logger } from '@nestjs/common';
import { outsideRequests } from '../../database/deadline';
import type { Connection } from '../../database/statements';
import { ACCESS_TOKEN, REFRESH_TOKEN } from '../credentials/credential-kinds';
import { CredentialStore } from '../credentials/credential-store';
import { OAuthClient } from './oauth-client';
import { TokenPlaces } from './token-places';
import type { TokenPlace } from './token-place';

/** Tokens that are to be given back. */
export interface Revocation {
  readonly place: TokenPlace;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Gives tokens back to the server that gave them (RFC 7009), where it takes them. Best effort: what was deleted here is gone in
 * any case, and nobody waits for it.
 */
@Injectable()
export class Revocations {
  private readonly logger = new Logger(Revocations.name);

  constructor(
    private readonly store: CredentialStore,
    private readonly places: TokenPlaces,
    private readonly client: OAuthClient,
  ) {}

  /**
   * Notes what has to be given back, before the credential is deleted.
   *
   * @returns undefined: nothing
   */
  async of(connection: Connection, credentialId: string): Promise<Revocation | undefined> {
    try {
      const opened = await this.store.open(connection, credentialId);
      const isOAuth = opened?.credential.kind === 'OAUTH' || opened?.credential.kind === 'OAUTH_CLIENT';
      if (!opened || !isOAuth || opened.credential.revocation_endpoint === null) return undefined;
      const place = await this.places.of(opened);
      return place && { place, values: opened.values };
    } catch (error) {
      // One that no key opens must not be kept for that.
      this.logger.warn(`Tokens of credential ${credentialId} are not given back: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** After the transaction that has deleted it; goes on in the background, and never rejects. */
  begin(revocations: readonly (Revocation | undefined)[]): void {
    for (const revocation of revocations) if (revocation) outsideRequests(() => void this.giveBack(revocation));
  }

  /** The refresh token first: most servers end the whole grant with it (RFC 7009, section 2.1). */
  private async giveBack({ place, values }: Revocation): Promise<void> {
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
