import { CryptoKey, decodeJwt, importJWK, JSONWebKeySet, JWSHeaderParameters, JWK, SignJWT } from 'jose';
import { errors } from 'jose';
import { Accounts } from '../users/accounts.service';
import type { TokenStatus } from './authorization-server/token-status';
import { Issuer, TokenIdentity } from './issuer';
import type { SigningKey } from './signing-key';

const FOR_EVER = new Date(8.64e15);

/**
 * The claim in a token of the own issuer that makes its account a platform administrator. Ignored in any other token.
 */
export const ADMIN_CLAIM = 'toolyard_admin';

/** Without OIDC_ISSUER the service is its own issuer, with one key in the data directory. */
export class OwnIssuer extends Issuer {
  override readonly attestsAdmins = true;

  private constructor(
    readonly issuer: string,
    private readonly kid: string,
    private readonly publicKey: CryptoKey,
    private readonly publicJwk: JWK,
    private readonly accounts: Accounts,
    private readonly status: TokenStatus,
  ) {
    super();
  }

  /** @param issuer the public address of this service */
  static async create(
    issuer: string,
    { kid, privateJwk }: SigningKey,
    accounts: Accounts,
    status: TokenStatus,
  ): Promise<OwnIssuer> {
    const { kty, crv, x, y } = privateJwk;
    const publicJwk = { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
    const publicKey = (await importJWK(publicJwk, 'ES256')) as CryptoKey;
    return new OwnIssuer(issuer, kid, publicKey, publicJwk, accounts, status);
  }

  key(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (header.alg !== 'ES256' || (header.kid !== undefined && header.kid !== this.kid)) {
      return Promise.reject(new errors.JWKSNoMatchingKey());
    }
    return Promise.resolve(this.publicKey);
  }

  /** Its only key stays valid as long as the process. */
  knowsKey(): boolean {
    return true;
  }

  keysGoodUntil(): Date {
    return FOR_EVER;
  }

  /**
   * From our own records: an account that never called or that was closed is not active (contract, section 3), nor is a
   * token that was revoked, by itself or with its grant.
   */
  async isActive(token: string, identity: TokenIdentity): Promise<boolean> {
    return (await this.accounts.isOpen(identity)) && (await this.status.isActive(decodeJwt(token)));
  }

  /** @returns the JWKS document */
  jwks(): JSONWebKeySet {
    return { keys: [this.publicJwk] };
  }
}

/** The content of a token from `npm run token`. */
export interface TokenRequest {
  issuer: string;
  audience: string;
  subject: string;
  email?: string;
  name?: string;
  /** Whether the account is a platform administrator while it uses this token. */
  isAdmin?: boolean;
  /** Seconds. */
  ttl: number;
  /** When the lifetime begins; by default now. */
  from?: Date;
}

/** @returns a signed access token in the shape of RFC 9068 */
export async function signToken({ kid, privateJwk }: SigningKey, request: TokenRequest): Promise<string> {
  const claims = {
    client_id: 'toolyard',
    ...(request.email === undefined ? {} : { email: request.email, email_verified: true }),
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(request.isAdmin ? { [ADMIN_CLAIM]: true } : {}),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
    .setIssuer(request.issuer)
    .setAudience(request.audience)
    .setSubject(request.subject)
    .setIssuedAt()
    .setExpirationTime(Math.floor((request.from ?? new Date()).getTime() / 1_000) + request.ttl)
    .setJti(crypto.randomUUID())
    .sign(await importJWK(privateJwk, 'ES256'));
}
