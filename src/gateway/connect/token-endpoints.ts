import { Injectable } from '@nestjs/common';
import { CLIENT_SECRET } from '../credentials/credential-kinds';
import type { DecryptedCredential } from '../credentials/credential-store';
import { ClientRegistrations } from './client-registrations';
import { RegisteredClients } from './registered-clients';
import { type TokenEndpoint, tokenAuthOf } from './token-endpoint';

/** Where the tokens of a credential came from, and who we are there. */
@Injectable()
export class TokenEndpoints {
  constructor(
    private readonly registrations: ClientRegistrations,
    private readonly registered: RegisteredClients,
  ) {}

  /** @returns undefined if it has no tokens yet, or is no credential of OAuth */
  async of(opened: DecryptedCredential): Promise<TokenEndpoint | undefined> {
    const { issuer, client_id: clientId, token_endpoint: tokenEndpoint } = opened.credential;
    const { revocation_endpoint, resource, token_auth } = opened.credential;
    if (issuer === null || clientId === null || tokenEndpoint === null) return undefined;
    const clientSecret = await this.secretOf(opened, issuer, clientId);
    return {
      ...{ issuer, tokenEndpoint, clientId, clientSecret },
      tokenAuth: tokenAuthOf(clientSecret !== undefined, token_auth, []),
      revocationEndpoint: revocation_endpoint ?? undefined,
      resource: resource ?? undefined,
    };
  }

  private async secretOf(opened: DecryptedCredential, issuer: string, clientId: string): Promise<string | undefined> {
    const { kind, bundle_id, entry_id, listing_id, origin } = opened.credential;
    if (kind === 'OAUTH_CLIENT') return opened.values.get(CLIENT_SECRET);
    const kept = opened.values.get(CLIENT_SECRET);
    if (kept !== undefined || clientId === this.registrations.documentUrl) return kept;
    const own = await this.registrations.secretOf(issuer, clientId);
    if (own !== undefined || bundle_id === null || entry_id === null) return own;
    const place = { bundleId: bundle_id, entryId: entry_id, listingId: listing_id, isOfListing: null };
    const given = await this.registered.of(place, origin, clientId);
    // One that no issuer has taken yet is not the client of these tokens: it was given later, or an issuer of an editor's choice
    // has called its own client the same, to be sent the secret.
    return given?.issuer === issuer ? given.clientSecret : undefined;
  }
}
