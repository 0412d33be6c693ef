import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Exchange, type Json, JSON_TYPE, type TestUpstream } from './test-upstream';

/** A client as it is known here. */
interface KnownClient {
  readonly id: string;
  readonly secret: string | undefined;
  readonly redirectUris: readonly string[];
}

interface Grant {
  readonly clientId: string;
  readonly scope: string | undefined;
  readonly resource: string | undefined;
}

interface Code extends Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

const WELL_KNOWN = '/.well-known/oauth-authorization-server';

/**
 * An authorization server on the loopback, which lets everyone in at once. Strict about codes, PKCE, redirects and clients; what
 * no such server should do, a test puts in.
 */
export class TestAuthorizationServer {
  readonly clients = new Map<string, KnownClient>();
  /** The parameters of requests, in the order in which they came. */
  readonly authorizations: URLSearchParams[] = [];
  readonly tokenRequests: URLSearchParams[] = [];
  readonly registrations: Json[] = [];
  /** Tokens that were given back. */
  readonly revoked: string[] = [];
  /** What a request to the token endpoint was authenticated by. */
  readonly authentications: (string | undefined)[] = [];
  /** Other metadata; a value that is undefined takes its field away. */
  metadata: Json = {};
  /** What the authorization endpoint answers with instead of a code. */
  answer: Record<string, string> | undefined;
  /** `iss` of its answers; undefined: none. */
  iss: string | undefined;
  lifetimeS: number | undefined = 3_600;
  hasRefreshTokens = true;
  rotates = true;
  /** Gives other metadata documents of clients their place: by their address. */
  documents: Record<string, Json> = {};
  /** Scopes that are given, whatever is asked for. */
  grantedScope: string | undefined;
  /** @returns whether it has taken care of the answer, or of its absence */
  fault: (path: string, request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean> = () => false;
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, Grant>();
  private readonly refresh = new Map<string, Grant>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.receive(request, response));
    this.iss = this.issuer;
  }

  static async start(): Promise<TestAuthorizationServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TestAuthorizationServer(server);
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** Ends all tokens, as a person can. */
  forgetTokens(which: 'access' | 'all' = 'all'): void {
    this.access.clear();
    if (which === 'all') this.refresh.clear();
  }

  /** @returns whether a token was given for this resource, with this scope */
  accepts(token: string, resource: string, scope?: string): 'yes' | 'no' | 'scope' {
    const grant = this.access.get(token);
    if (!grant || grant.resource !== resource) return 'no';
    return scope === undefined || grant.scope?.split(' ').includes(scope) ? 'yes' : 'scope';
  }

  /**
   * Lets an upstream take only tokens of this server.
   *
   * @param scopeOf the scope that a request needs, if any
   */
  protect(upstream: TestUpstream, scopeOf: (exchange: Exchange) => string | undefined = () => undefined): void {
    upstream.fault = (exchange) => {
      const { response, received } = exchange;
      const { url = '' } = response.req;
      const metadata = `http://127.0.0.1:${upstream.port}/.well-known/oauth-protected-resource/mcp`;
      if (url.startsWith('/.well-known/')) {
        if (url !== new URL(metadata).pathname) return reply(response, 404, {});
        return reply(response, 200, {
          resource: upstream.url,
          authorization_servers: [this.issuer],
          ...upstreamExtras.get(upstream),
        });
      }
      const token = /^Bearer (.+)$/.exec(received.headers.authorization ?? '')?.[1] ?? '';
      const needed = scopeOf(exchange);
      const verdict = this.accepts(token, upstream.url, needed);
      if (verdict === 'yes') return false;
      const scope = needed === undefined ? '' : `, scope="${needed}"`;
      const error = verdict === 'scope' ? ', error="insufficient_scope"' : '';
      response.setHeader('WWW-Authenticate', `Bearer resource_metadata="${metadata}"${scope}${error}`);
      return reply(response, verdict === 'scope' ? 403 : 401, { error: 'no' });
    };
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    if (await this.fault(url.pathname, request, response)) return;
    const body = await textOf(request);
    if (url.pathname === WELL_KNOWN) return void reply(response, 200, this.described);
    if (url.pathname === '/authorize') return this.authorize(url.searchParams, response);
    if (url.pathname === '/register') return this.register(JSON.parse(body) as Json, response);
    const form = new URLSearchParams(body);
    if (url.pathname === '/token') return this.token(form, request, response);
    if (url.pathname === '/revoke') return this.revoke(form, response);
    reply(response, 404, {});
  }

  private get described(): Json {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      registration_endpoint: `${this.issuer}/register`,
      revocation_endpoint: `${this.issuer}/revoke`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  private authorize(query: URLSearchParams, response: ServerResponse): void {
    this.authorizations.push(query);
    const clientId = query.get('client_id') ?? '';
    const redirectUri = query.get('redirect_uri') ?? '';
    const known = this.clients.get(clientId)?.redirectUris ?? (this.documents[clientId]?.redirect_uris as string[]);
    if (!known?.includes(redirectUri)) return void reply(response, 400, { error: 'unknown client or redirect' });
    const code = randomUUID();
    const scope = this.grantedScope ?? query.get('scope') ?? undefined;
    const resource = query.get('resource') ?? undefined;
    const challenge = query.get('code_challenge_method') === 'S256' ? (query.get('code_challenge') ?? '') : '';
    this.codes.set(code, { clientId, scope, resource, challenge, redirectUri });
    const to = new URL(redirectUri);
    for (const [name, value] of Object.entries(this.answer ?? { code })) to.searchParams.set(name, value);
    to.searchParams.set('state', query.get('state') ?? '');
    if (this.iss !== undefined) to.searchParams.set('iss', this.iss);
    response.writeHead(302, { location: to.href }).end();
  }

  private register(metadata: Json, response: ServerResponse): void {
    this.registrations.push(metadata);
    const method = String(metadata.token_endpoint_auth_method);
    const client: KnownClient = {
      id: `client-${this.clients.size + 1}`,
      secret: method === 'none' ? undefined : randomUUID(),
      redirectUris: metadata.redirect_uris as string[],
    };
    this.clients.set(client.id, client);
    reply(response, 201, { ...metadata, client_id: client.id, client_secret: client.secret });
  }

  private token(form: URLSearchParams, request: IncomingMessage, response: ServerResponse): void {
    this.tokenRequests.push(form);
    this.authentications.push(request.headers.authorization);
    const client = this.authenticated(form, request);
    if (client === undefined) return void reply(response, 401, { error: 'invalid_client' });
    const grant = this.grantOf(form, client);
    if (!grant) return void reply(response, 400, { error: 'invalid_grant' });
    const token = `at-${randomUUID()}`;
    this.access.set(token, grant);
    const isOwn = form.get('grant_type') === 'client_credentials';
    const answer: Json = { access_token: token, token_type: 'Bearer', expires_in: this.lifetimeS, scope: grant.scope };
    if (this.hasRefreshTokens && !isOwn) {
      const kept = form.get('refresh_token');
      if (kept !== null && this.rotates) this.refresh.delete(kept);
      const refreshToken = kept !== null && !this.rotates ? kept : `rt-${randomUUID()}`;
      this.refresh.set(refreshToken, grant);
      answer.refresh_token = refreshToken;
    }
    reply(response, 200, answer);
  }

  private grantOf(form: URLSearchParams, clientId: string): Grant | undefined {
    const resource = form.get('resource') ?? undefined;
    if (form.get('grant_type') === 'client_credentials')
      return { clientId, resource, scope: form.get('scope') ?? undefined };
    if (form.get('grant_type') === 'refresh_token') {
      const grant = this.refresh.get(form.get('refresh_token') ?? '');
      return grant?.clientId === clientId && grant.resource === resource ? grant : undefined;
    }
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const verified = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      code?.clientId === clientId &&
      code.challenge === verified &&
      code.redirectUri === form.get('redirect_uri') &&
      code.resource === resource;
    return isRight ? code : undefined;
  }

  /** @returns the id of the client; undefined if it has not proved who it is */
  private authenticated(form: URLSearchParams, { headers }: IncomingMessage): string | undefined {
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
    const [id = '', secret] = basic
      ? Buffer.from(basic, 'base64')
          .toString()
          .split(':')
          .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      : [form.get('client_id') ?? '', form.get('client_secret') ?? undefined];
    if (this.documents[id]) return secret === undefined ? id : undefined;
    const client = this.clients.get(id);
    return client && client.secret === secret ? id : undefined;
  }

  private revoke(form: URLSearchParams, response: ServerResponse): void {
    const token = form.get('token') ?? '';
    this.revoked.push(token);
    this.access.delete(token);
    this.refresh.delete(token);
    response.writeHead(200).end();
  }
}

/** More members of the metadata of a protected resource. */
export const upstreamExtras = new WeakMap<TestUpstream, Json>();

function reply(response: ServerResponse, status: number, body: Json): true {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
  return true;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
