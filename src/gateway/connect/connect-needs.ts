import { Injectable } from '@nestjs/common';
import type { SecretNeed } from '../protocol/credential-placements';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../protocol/revisions';
import { initializeHop, modernHop } from '../upstreams/hop-message';
import { OWN_INFO } from '../upstreams/upstream-wire';
import { type Authorization, AuthorizationServers } from './authorization-servers';
import { type Challenge, readChallenge } from '../protocol/challenge';
import type { ConnectLinkRequest } from './connect-links';
import type { ConnectTarget } from './connect-targets';
import { OAuthFetch } from './oauth-fetch';
import { OAuthUrls } from './oauth-urls';

/** For both questions to a server; milliseconds. */
const PROBE_MS = 10_000;

/** What a person has to do to connect an account. */
export type ConnectNeed =
  | { readonly kind: 'secrets'; readonly secrets: readonly SecretNeed[] }
  | { readonly kind: 'oauth'; readonly authorization: Authorization }
  | { readonly kind: 'nothing' };

/** Finds out what the server of an entry wants, by its document and by asking it without credentials. */
@Injectable()
export class ConnectNeeds {
  constructor(
    private readonly fetch: OAuthFetch,
    private readonly urls: OAuthUrls,
    private readonly servers: AuthorizationServers,
  ) {}

  /** @throws ConnectFailure */
  async of(
    { upstream }: ConnectTarget,
    wish: Pick<ConnectLinkRequest, 'personId' | 'scope' | 'resourceMetadata'>,
  ): Promise<ConnectNeed> {
    const { secrets, url } = upstream;
    // One that only an `Authorization` is made of may be a token, which OAuth gives.
    if (secrets.some(({ isRequired, isToken }) => isRequired && !isToken)) return { kind: 'secrets', secrets };
    this.urls.require(url, 'the server');
    const { personId, scope, resourceMetadata } = wish;
    const challenge =
      scope === undefined && resourceMetadata === undefined
        ? await this.challengeOf(upstream, personId)
        : {
            ...(scope === undefined ? {} : { scope }),
            ...(resourceMetadata === undefined ? {} : { resourceMetadata }),
          };
    const authorization = await this.servers.discover(url, challenge, personId);
    if (authorization) return { kind: 'oauth', authorization };
    return secrets.length > 0 ? { kind: 'secrets', secrets } : { kind: 'nothing' };
  }

  /** @returns what it answers to a request without a token; undefined: something else than that it wants one */
  private async challengeOf(
    { url, headers }: ConnectTarget['upstream'],
    personId: string,
  ): Promise<Challenge | undefined> {
    const fetch = this.fetch.within(AbortSignal.timeout(PROBE_MS), { of: 'connection', personId });
    for (const { headers: own, body } of [MODERN_PROBE, LEGACY_PROBE]) {
      const all = {
        ...headers,
        ...own,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const response = await fetch(url, { method: 'POST', headers: all, body });
      if (response.status === 401) return readChallenge(response.headers.get('www-authenticate')) ?? {};
    }
    return undefined;
  }
}

const MODERN_PROBE = modernHop(
  { id: 1, method: 'server/discover', params: {} },
  { revision: MODERN_REVISIONS[0], capabilities: {}, info: undefined, logLevel: undefined },
  OWN_INFO,
);

const LEGACY_PROBE = initializeHop(1, LEGACY_REVISIONS[0], {}, OWN_INFO);
