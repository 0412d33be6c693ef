import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** How a token is made that may be wrong. */
export interface Forgery {
  claims?: JWTPayload;
  /** Claims to leave out. */
  without?: string[];
  header?: { alg?: string; kid?: string; typ?: string };
  /** Signs with this instead of the provider's key. */
  key?: CryptoKey | Uint8Array;
  /** The token as it is sent. */
  raw?: string;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** An OpenID provider that sends whatever a test wants, as an attacker or a broken product would. */
export class ForgedProvider {
  /** What the next ID token is like. */
  forgery: Forgery = {};
  /** What the token endpoint answers instead. */
  tokenAnswer?: (response: ServerResponse) => void;
  /** What the discovery document says besides. */
  metadata: Record<string, unknown> = {};
  /** Bodies of requests to the token endpoint. */
  readonly tokenRequests: URLSearchParams[] = [];

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    readonly privateKey: CryptoKey,
    readonly jwk: JWK,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response));
  }

  static async start(): Promise<ForgedProvider> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new ForgedProvider(`http://127.0.0.1:${port}`, server, privateKey, jwk);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** A signed token, correct but for the forgery. */
  async token(base: JWTPayload, { claims = {}, without = [], header = {}, key, raw }: Forgery = {}): Promise<string> {
    if (raw !== undefined) return raw;
    const now = Math.floor(Date.now() / 1_000);
    const payload: JWTPayload = {
      iss: this.issuer,
      aud: 'toolyard',
      iat: now,
      exp: now + 120,
      auth_time: now,
      ...base,
      ...claims,
    };
    for (const name of without) delete payload[name];
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(key ?? this.privateKey);
  }

  /** A logout token, correct but for the forgery. */
  logoutToken(base: JWTPayload, forgery: Forgery = {}): Promise<string> {
    const jti = crypto.randomUUID();
    const header = { typ: 'logout+jwt', ...forgery.header };
    return this.token({ jti, events: { [LOGOUT_EVENT]: {} }, ...base }, { ...forgery, header });
  }

  /** @param nonce of the sign-in, which a real provider repeats */
  nextIdToken(nonce: string, claims: JWTPayload, forgery: Forgery = {}): void {
    this.forgery = { ...forgery, claims: { nonce, sub: 'mallory', ...claims, ...forgery.claims } };
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (body: object) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    const { issuer } = this;
    if (request.url === '/.well-known/openid-configuration') {
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        authorization_response_iss_parameter_supported: true,
        ...this.metadata,
      });
    } else if (request.url === '/jwks') json({ keys: [this.jwk] });
    else if (request.url === '/token') {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      this.tokenRequests.push(new URLSearchParams(body));
      if (this.tokenAnswer) return this.tokenAnswer(response);
      json({ access_token: 'opaque', token_type: 'Bearer', id_token: await this.token({}, this.forgery) });
    } else response.writeHead(404).end();
  }
}
