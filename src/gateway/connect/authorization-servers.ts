import { Injectable } from '@nestjs/common';
import type { AuthorizationServerMetadata, OAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { type Challenge, isScope, scopeUnion } from '../protocol/challenge';
import { ConnectFailure } from './connect-failure';
import { OAuthFetch, type OAuthFetcher, oauthLibrary } from './oauth-fetch';
import { OAuthUrls } from './oauth-urls';

/** For everything that is asked before a person is sent on; milliseconds. */
const DISCOVERY_MS = 20_000;
const MAX_ISSUER_LENGTH = 1_024;
const MAX_METHODS = 20;
const OFFLINE_ACCESS = 'offline_access';

/** Where tokens for a server come from, as it and its authorization server say. All addresses are usable ones. */
export interface Authorization {
  /** What tokens are for (RFC 8707). */
  readonly resource: string;
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  /** RFC 7009. */
  readonly revocationEndpoint: string | undefined;
  /** How clients authenticate at the token endpoint; empty: it does not say. */
  readonly authMethods: readonly string[];
  /** Whether its answers name the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** Whether the address of a metadata document is a client id there. */
  readonly readsClientDocuments: boolean;
  /** What to ask for, separated by spaces; undefined: what the server gives by default. */
  readonly scope: string | undefined;
  /** All that the server says it has. */
  readonly knownScopes: readonly string[];
}

/**
 * Finds out where tokens for a server come from (RFC 9728, then RFC 8414 or OpenID Connect Discovery), each time anew: a
 * server may have moved to another authorization server.
 */
@Injectable()
export class AuthorizationServers {
  constructor(
    private readonly fetch: OAuthFetch,
    private readonly urls: OAuthUrls,
  ) {}

  /**
   * @param serverUrl where the MCP server is
   * @param challenge what it answers to a request without a token
   * @param personId who connects an account, if anybody does
   * @returns undefined if it says nothing about tokens, and its own host does not give any
   * @throws ConnectFailure
   */
  async discover(
    serverUrl: string,
    challenge: Challenge | undefined,
    personId?: string,
  ): Promise<Authorization | undefined> {
    const use = { of: 'connection' as const, ...(personId === undefined ? {} : { personId }) };
    const fetch = this.fetch.within(AbortSignal.timeout(DISCOVERY_MS), use);
    const described = await this.resource(serverUrl, challenge?.resourceMetadata, fetch);
    const named = described?.authorization_servers?.[0];
    // Before RFC 9728, the host of the server was the authorization server, too (MCP 2025-03-26).
    const issuer = named ?? new URL('/', serverUrl).href;
    const metadata = await this.metadata(issuer, fetch);
    if (!metadata) {
      if (named === undefined) return undefined;
      throw new ConnectFailure('unsupported', 'the authorization server has no metadata');
    }
    const own = ownScope(challenge, described);
    const offers = metadata.known.scopes_supported ?? [];
    return {
      ...this.checked(metadata),
      resource: described?.resource ?? canonical(serverUrl),
      scope: own !== undefined && offers.includes(OFFLINE_ACCESS) ? scopeUnion(own, OFFLINE_ACCESS) : own,
      knownScopes: described?.scopes_supported ?? [],
    };
  }

  /** @returns undefined if there are none */
  private async resource(
    serverUrl: string,
    metadataUrl: string | undefined,
    fetch: OAuthFetcher,
  ): Promise<OAuthProtectedResourceMetadata | undefined> {
    const library = oauthLibrary();
    if (metadataUrl !== undefined) this.urls.require(metadataUrl, 'the metadata of the server');
    const options = metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl };
    const described = await answered(() => library.discoverOAuthProtectedResourceMetadata(serverUrl, options, fetch));
    if (!described) {
      if (metadataUrl === undefined) return undefined;
      throw new ConnectFailure('unsupported', 'the server names metadata that it does not have');
    }
    const requestedResource = library.resourceUrlFromServerUrl(serverUrl);
    // RFC 9728, section 3.3: metadata about something else would have tokens for that something given to this server.
    if (!library.checkResourceAllowed({ requestedResource, configuredResource: described.resource }))
      throw new ConnectFailure('mismatch', 'the metadata of the server are about another one');
    return described;
  }

  private async metadata(issuer: string, fetch: OAuthFetcher): Promise<ReadMetadata | undefined> {
    this.urls.require(issuer, 'the authorization server');
    if (issuer.length > MAX_ISSUER_LENGTH) throw new ConnectFailure('unsupported', 'the issuer is too long');
    const { discoverAuthorizationServerMetadata, IssuerMismatchError } = oauthLibrary();
    let last = '';
    // The library drops what OpenID Connect Discovery does not define, such as where tokens are revoked.
    const fetchFn: OAuthFetcher = async (input, init) => {
      const response = await fetch(input, init);
      last = await response.text();
      return new Response(last, { status: response.status, headers: response.headers });
    };
    const known = await answered(async () => {
      try {
        return await discoverAuthorizationServerMetadata(issuer, { fetchFn });
      } catch (error) {
        if (error instanceof IssuerMismatchError)
          throw new ConnectFailure('mismatch', 'the metadata of the authorization server have another issuer');
        throw error;
      }
    }, 'the metadata of the authorization server are not valid');
    return known && { known, all: JSON.parse(last) as Record<string, unknown> };
  }

  /** What the protocol requires of an authorization server. */
  private checked({ known, all }: ReadMetadata): Omit<Authorization, 'resource' | 'scope' | 'knownScopes'> {
    const { issuer, code_challenge_methods_supported: challenges = [] } = known;
    // Without PKCE, who gets hold of a code could use it (MCP 2026-07-28, "Authorization Code Protection").
    if (!challenges.includes('S256'))
      throw new ConnectFailure('unsupported', 'the authorization server does not support PKCE with S256');
    if (!known.response_types_supported.includes('code'))
      throw new ConnectFailure('unsupported', 'the authorization server does not support codes');
    const registration = known.registration_endpoint;
    return {
      issuer,
      authorizationEndpoint: this.urls.require(known.authorization_endpoint, 'the authorization endpoint').href,
      tokenEndpoint: this.urls.require(known.token_endpoint, 'the token endpoint').href,
      registrationEndpoint:
        registration === undefined ? undefined : this.urls.require(registration, 'the registration endpoint').href,
      revocationEndpoint: this.urls.usable(all.revocation_endpoint, 'the revocation endpoint'),
      authMethods: (known.token_endpoint_auth_methods_supported ?? []).slice(0, MAX_METHODS),
      namesIssuer: known.authorization_response_iss_parameter_supported === true,
      readsClientDocuments: known.client_id_metadata_document_supported === true,
    };
  }
}

interface ReadMetadata {
  readonly known: AuthorizationServerMetadata;
  /** As they came. */
  readonly all: Record<string, unknown>;
}

/**
 * @param work of the library
 * @param wrong what it means that the library throws; undefined: that there is nothing
 * @throws ConnectFailure
 */
async function answered<T>(work: () => Promise<T>, wrong?: string): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectFailure) throw error;
    // What the library says may quote the server.
    if (wrong !== undefined) throw new ConnectFailure('unsupported', wrong);
    return undefined;
  }
}

/** What the request needs, else what the server says it has (MCP 2026-07-28, "Scope Selection Strategy"). */
function ownScope(
  challenge: Challenge | undefined,
  described: OAuthProtectedResourceMetadata | undefined,
): string | undefined {
  if (challenge?.scope !== undefined) return challenge.scope;
  const all = scopeUnion(described?.scopes_supported?.join(' '));
  return all !== undefined && isScope(all) ? all : undefined;
}

/** Without a fragment, and without the final slash of a bare host (MCP 2026-07-28, "Canonical Server URI"). */
function canonical(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = '';
  return url.pathname === '/' && url.search === '' ? url.origin : url.href;
}
