import {
  type CryptoKey,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { Accounts } from '../users/accounts.service';
import type { CredentialCheck } from '../users/credential-check';
import type { TokenStatus } from './authorization-server/token-status';
import { ACCOUNT_OF_TOKEN } from './authorization-server/token-status.sql';
import { Issuer, TokenIdentity, type TokenMarks } from './issuer';
import type { PublicKey, SigningKey } from './signing-keys/signing-key';
import { SigningKeys } from './signing-keys/signing-keys.service';

const FOR_EVER = new Date(8.64e15);

/**
 * The claim in a token of the own issuer that makes its account a platform administrator. Ignored in any other token.
 */
export const ADMIN_CLAIM = 'toolyard_admin';

/** The `client_id` of tokens that an operator makes (`npm run token`); no client can be called so. */
export const OPERATOR_CLIENT_ID = 'toolyard';

/** Without OIDC_ISSUER the service is its own issuer. Its keys rotate, and all replicas share them. */
export class OwnIssuer extends Issuer {
  override readonly attestsAdmins = true;
  override readonly limitsByScope = true;

  /** @param issuer the public address of this service */
  constructor(
    readonly issuer: string,
    private readonly keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly status: TokenStatus,
  ) {
    super();
  }

  async key({ alg, kid }: JWSHeaderParameters): Promise<CryptoKey> {
    if (alg !== 'ES256') throw new errors.JWKSNoMatchingKey();
    const publicKey = kid === undefined ? this.onlyKey() : (this.keys.find(kid) ?? (await this.keys.lookUp(kid)));
    if (publicKey === undefined) throw new errors.JWKSNoMatchingKey();
    return publicKey.key;
  }

  /** The kid of its keys is the thumbprint. */
  knowsKey(thumbprint: string): boolean {
    return this.keys.find(thumbprint) !== undefined;
  }

  /** Changes of the keys are notified, so they are never fetched. */
  keysGoodUntil(): Date {
    return FOR_EVER;
  }

  /**
   * From our own records: an account that never called or that was closed is not active (contract, section 3), nor is a
   * token that was revoked, by itself or with its grant.
   */
  async isActive(token: string, identity: TokenIdentity): Promise<boolean> {
    const claims = decodeJwt(token);
    return (await this.accounts.isOpen({ ...identity, saidAt: claims.iat })) && (await this.status.isActive(claims));
  }

  override marksOf(claims: JWTPayload): TokenMarks {
    return this.status.marksOf(claims);
  }

  override checkOf(marks: TokenMarks | undefined): CredentialCheck | undefined {
    return marks && { sql: ACCOUNT_OF_TOKEN, values: [marks.grant, marks.denied, marks.clientId] };
  }

  /** @returns the JWKS document */
  jwks(): JSONWebKeySet {
    return { keys: this.keys.published().map(({ jwk }) => jwk) };
  }

  private onlyKey(): PublicKey | undefined {
    const [key, ...others] = this.keys.published();
    if (others.length > 0) throw new errors.JWKSMultipleMatchingKeys();
    return key;
  }
}

/** The content of a token from `npm run token`. */
export interface TokenRequest {
  issuer: string;
  audience: string;
  subject: string;
  email?: string;
  name?: string;
  /** The scopes it is limited to; by default it is not limited. */
  scope?: string;
  /** Whether the account is a platform administrator while it uses this token. */
  isAdmin?: boolean;
  /** Seconds. */
  ttl: number;
  /** When the lifetime begins; by default now. */
  from?: Date;
}

/** @returns a signed access token in the shape of RFC 9068 */
export async function signToken({ kid, privateKey }: SigningKey, request: TokenRequest): Promise<string> {
  const claims = {
    client_id: OPERATOR_CLIENT_ID,
    ...(request.email === undefined ? {} : { email: request.email, email_verified: true }),
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(request.scope === undefined ? {} : { scope: request.scope }),
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
    .sign(privateKey);
}
