import type { CryptoKey, JWSHeaderParameters } from 'jose';

/** What a token says about who it is for, after its signature and claims were found good. */
export interface TokenIdentity {
  issuer: string;
  subject: string;
}

/** Algorithms of access tokens (contract, section 3). Never `none`, never HMAC. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** The authorization server whose access tokens count: an external one, or this service itself. */
export abstract class Issuer {
  /** Compared letter by letter with `iss` (RFC 9068, section 4). */
  abstract readonly issuer: string;

  /**
   * @returns the public key that the header names
   * @throws a JOSEError when the issuer has no such key, UnavailableError when it cannot be asked
   */
  abstract key(header: JWSHeaderParameters): Promise<CryptoKey>;

  /**
   * Asks whether the token still counts (RFC 7662).
   *
   * @throws UnavailableError when that cannot be found out: never a pass
   */
  abstract isActive(token: string, identity: TokenIdentity): Promise<boolean>;
}
