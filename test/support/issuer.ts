import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { CryptoKey, decodeJwt, exportJWK, exportSPKI, generateKeyPair, JWK, JWTPayload, SignJWT } from 'jose';

export type Algorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA';

/** A key pair, and how a token names it. */
export interface IssuerKey {
  /** Undefined: the token does not say which key it is. */
  kid?: string;
  alg: Algorithm;
  privateKey: CryptoKey;
  jwk: JWK;
  /** The public key as text, which an attacker might take for an HMAC secret. */
  pem: string;
}

export interface TestIssuerOptions {
  /** What stands after the port in `iss`: `/realms/acme`, say. */
  path?: string;
  /** Where the metadata are: of an OpenID provider, or of an authorization server that is none (RFC 8414). */
  metadata?: 'openid' | 'oauth';
  /** Defaults to the time of day; a fake clock in tests that move time. */
  now?: () => Date;
  introspects?: boolean;
}

const CLIENT_ID = 'tool yard:1';
const CLIENT_SECRET = 'a+b%c:d é';

/** A real authorization server on the loopback interface: metadata, JWKS, and introspection (RFC 7662). */
export class TestIssuer {
  /** How often each was asked. */
  readonly requests = { metadata: 0, jwks: 0, introspection: 0 };
  /** Every token that it made, to look for in logs. */
  readonly issued: string[] = [];
  /** The keys in the JWKS; the first of an algorithm signs. */
  keys: IssuerKey[] = [];
  /** What it does with every request. */
  behaviour: 'answer' | 'fail' | 'hang' = 'answer';
  /** What introspection says instead of what is true. */
  introspection?: object;

  private readonly revoked = new Set<string>();
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  private constructor(private readonly options: Required<TestIssuerOptions>) {
    this.server = createServer((request, response) => void this.handle(request, response));
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Starts with one key of each algorithm. */
  static async start(options: TestIssuerOptions = {}): Promise<TestIssuer> {
    const issuer = new TestIssuer({
      path: '',
      metadata: 'openid',
      now: () => new Date(),
      introspects: true,
      ...options,
    });
    await issuer.resume();
    issuer.keys = await Promise.all((['RS256', 'PS256', 'ES256', 'EdDSA'] as const).map(newKey));
    return issuer;
  }

  /** The value of `iss`. */
  get url(): string {
    return `http://127.0.0.1:${this.port}${this.options.path}`;
  }

  /** What an application needs to take its tokens and to introspect them. */
  get env(): Record<string, string> {
    return { OIDC_ISSUER: this.url, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET };
  }

  /** Listens, again on the same port after a stop. */
  async resume(): Promise<void> {
    if (this.server.listening) return;
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Breaks every connection and listens no more. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Replaces all keys by one new key. */
  async rotate(alg: Algorithm = 'ES256'): Promise<void> {
    this.keys = [await newKey(alg)];
  }

  /** The key that signs tokens of this algorithm. */
  key(alg: Algorithm): IssuerKey {
    const key = this.keys.find((candidate) => candidate.alg === alg);
    if (!key) throw new Error(`This issuer has no ${alg} key.`);
    return key;
  }

  /**
   * @param claims added to, or put in place of, those of a good token; undefined removes one
   * @param header added to `alg` and `kid`
   * @param key one of this issuer's, unless a test wants a forgery
   */
  async token(
    claims: JWTPayload = {},
    key: IssuerKey = this.key('ES256'),
    header: { typ?: string } = {},
  ): Promise<string> {
    const payload = Object.fromEntries(
      Object.entries({ ...this.claims(), ...claims }).filter(([, value]) => value !== undefined),
    );
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
    this.issued.push(token);
    return token;
  }

  /** What a good token says. */
  claims(): JWTPayload & { iat: number; exp: number } {
    const now = Math.floor(this.options.now().getTime() / 1_000);
    return { iss: this.url, aud: 'toolyard', sub: randomUUID(), iat: now, exp: now + 3_600, jti: randomUUID() };
  }

  /** Introspection says from now on that the token is not active. */
  revoke(token: string): void {
    this.revoked.add(token);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = this.endpointOf(request.url ?? '');
    if (endpoint) this.requests[endpoint] += 1;
    if (this.behaviour === 'hang') return;
    if (this.behaviour === 'fail') return answer(response, 500, { error: 'server_error' });
    if (endpoint === 'metadata') return answer(response, 200, this.metadata());
    if (endpoint === 'jwks') return answer(response, 200, { keys: this.keys.map(({ jwk }) => jwk) });
    if (endpoint === 'introspection') return this.introspect(request, response);
    return answer(response, 404, { error: 'not_found' });
  }

  private endpointOf(url: string): keyof TestIssuer['requests'] | undefined {
    const { path, metadata } = this.options;
    const document =
      metadata === 'openid'
        ? `${path}/.well-known/openid-configuration`
        : `/.well-known/oauth-authorization-server${path}`;
    if (url === document) return 'metadata';
    if (url === `${path}/keys`) return 'jwks';
    return url === `${path}/introspect` ? 'introspection' : undefined;
  }

  private metadata(): object {
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/keys`,
      ...(this.options.introspects ? { introspection_endpoint: `${this.url}/introspect` } : {}),
    };
  }

  private async introspect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(await textOf(request));
    const [id, secret] = basicCredentials(request.headers.authorization ?? '');
    if (request.method !== 'POST' || id !== CLIENT_ID || secret !== CLIENT_SECRET) {
      return answer(response, 401, { error: 'invalid_client' });
    }
    const token = body.get('token') ?? '';
    if (this.introspection) return answer(response, 200, this.introspection);
    if (!this.issued.includes(token) || this.revoked.has(token)) return answer(response, 200, { active: false });
    return answer(response, 200, { active: true, sub: decodeJwt(token).sub });
  }
}

/** A key of its own, which no issuer publishes unless it is put among its keys. */
export async function newKey(alg: Algorithm): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { kid, alg, privateKey, jwk, pem: await exportSPKI(publicKey) };
}

/** RFC 6749, section 2.3.1: both parts are form-encoded. */
function basicCredentials(header: string): (string | null)[] {
  const [, encoded = ''] = /^Basic (.+)$/.exec(header) ?? [];
  const parts = Buffer.from(encoded, 'base64').toString().split(':');
  return parts.map((part) => new URLSearchParams(`part=${part}`).get('part'));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
