import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inTransaction } from '../../database/transaction';
import { CredentialStore } from '../credentials/credential-store';
import type { Authorization } from './authorization-servers';
import { scopeUnion } from '../protocol/challenge';
import { ClientRegistrations } from './client-registrations';
import { ConnectFlows, type FlowHolder } from './connect-flows';
import type { ConnectLinkRequest } from './connect-links';
import type { ConnectTarget } from './connect-targets';
import { OAuthClient } from './oauth-client';
import { RegisteredClients } from './registered-clients';

/** Sends people to authorization servers. */
@Injectable()
export class ConnectStart {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
    private readonly registered: RegisteredClients,
    private readonly registrations: ClientRegistrations,
    private readonly client: OAuthClient,
    private readonly flows: ConnectFlows,
  ) {}

  /**
   * Asks for what was asked for before, too, or it would be lost with the former tokens (MCP 2026-07-28, "Step-Up Authorization
   * Flow").
   */
  async withFormerScopes({ place, upstream }: ConnectTarget, authorization: Authorization): Promise<Authorization> {
    const former = await inTransaction(this.dataSource, (manager) => this.store.lockInPlace(manager, place));
    const isSame = former?.origin === upstream.origin && former.issuer === authorization.issuer;
    if (!isSame || former.kind !== 'OAUTH') return authorization;
    return { ...authorization, scope: scopeUnion(former.scopes?.join(' '), authorization.scope) };
  }

  /**
   * Notes everything that must not change until the person comes back.
   *
   * @returns where the browser goes
   * @throws ConnectFailure
   */
  async begin(
    holder: FlowHolder,
    wish: ConnectLinkRequest,
    target: ConnectTarget,
    found: Authorization,
  ): Promise<string> {
    const { upstream, listingId, isOfListing } = target;
    const authorization = await this.withFormerScopes(target, found);
    const { issuer, tokenEndpoint, revocationEndpoint, resource, scope, namesIssuer } = authorization;
    const { bundleId, entryId } = wish;
    const given = await this.registered.of({ bundleId, entryId, listingId, isOfListing }, upstream.origin);
    const { clientId, clientSecret, tokenAuth, redirectUri, credentialId } = await this.registrations.of(
      authorization,
      given,
      holder.personId,
    );
    const state = this.flows.newState();
    const { url, codeVerifier } = await this.client.startAuthorization(
      authorization,
      { clientId, redirectUri },
      { state, scope },
    );
    await this.flows.begin(state, holder, {
      wish,
      origin: upstream.origin,
      place: { issuer, tokenEndpoint, revocationEndpoint, resource, clientId, clientSecret, tokenAuth },
      ...{ redirectUri, codeVerifier, scope, namesIssuer },
      clientCredentialId: credentialId,
    });
    return url;
  }
}
