import type { CryptoKey, JWSHeaderParameters, JWTPayload } from 'jose';
import type { CredentialCheck } from '../users/credential-check';

/** Who a token identifies, after its signature and claims were verified. */
export interface TokenIdentity {
  issuer: string;
  subject: string;
}

/** By what our own records tell whether a token was revoked. */
export interface TokenMarks {
  /** The grant of the token has this digest; null: the token has no grant. */
  readonly grant: Buffer | null;
  /** Under which it would be denied. */
  readonly denied: Buffer;
  readonly clientId: string | null;
}

/** OpenID Connect Core 1.0, section 2. Longer than any real one, and short enough for an index. */
export const MAX_SUBJECT_LENGTH = 255;

/** Algorithms of access tokens (contract, section 3). Never `none`, never HMAC. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** The authorization server whose access tokens are accepted: an external one, or this service itself. */
export abstract class Issuer {
  /** Must be identical to `iss` (RFC 9068, section 4). */
  abstract readonly issuer: string;

  /** Whether every address in its tokens counts as verified (`OIDC_TRUST_EMAIL`). */
  readonly trustsEmail: boolean = false;

  /** Whether its tokens can grant platform administration: only this service's own, which its operator signs. */
  readonly attestsAdmins: boolean = false;

  /** Whether a token with any `scope` is limited to it: only this service's own, which knows our scopes. */
  readonly limitsByScope: boolean = false;

  /** Whether a token without any of our scopes may do nothing (`SCOPES=required`). */
  readonly requiresScopes: boolean = false;

  /** The client id with which this service introspects tokens; undefined: none. */
  readonly clientId: string | undefined = undefined;

  /**
   * @returns the public key that the header names
   * @throws a JOSEError if the issuer has no such key, UnavailableError if it cannot be reached
   */
  abstract key(header: JWSHeaderParameters): Promise<CryptoKey>;

  /** @returns whether a previously valid key, by its thumbprint (RFC 7638), still is, as far as we know */
  abstract knowsKey(thumbprint: string): boolean;

  /** Until when verifications with a cached key may be cached: then the keys have to be fetched again. */
  abstract keysGoodUntil(): Date;

  /**
   * Asks whether the token is still active (RFC 7662).
   *
   * @throws UnavailableError if that cannot be determined: never a pass
   */
  abstract isActive(token: string, identity: TokenIdentity): Promise<boolean>;

  /** @returns for `isActiveToken`; undefined: only the issuer itself knows whether a token was revoked */
  marksOf(_claims: JWTPayload): TokenMarks | undefined {
    return undefined;
  }

  /** @returns whether the token still counts, for the statement that reads its account; undefined: our records do not say */
  checkOf(_marks: TokenMarks | undefined): CredentialCheck | undefined {
    return undefined;
  }
}
