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

  /** Whether every address that it names counts as verified (`OIDC_TRUST_EMAIL`). */
  readonly trustsEmail: boolean = false;

  /** Whether its tokens can make a platform administrator: only this service's own, whose operator signs them. */
  readonly attestsAdmins: boolean = false;

  /** The client as which this service asks about tokens; undefined: none. */
  readonly clientId: string | undefined = undefined;

  /**
   * @returns the public key that the header names
   * @throws a JOSEError when the issuer has no such key, UnavailableError when it cannot be asked
   */
  abstract key(header: JWSHeaderParameters): Promise<CryptoKey>;

  /** @returns whether a key that was good before, by its thumbprint (RFC 7638), still is, as far as we know */
  abstract knowsKey(thumbprint: string): boolean;

  /** Until when what was verified with a known key may be remembered: then its keys are to be looked at again. */
  abstract keysGoodUntil(): Date;

  /**
   * Asks whether the token still counts (RFC 7662).
   *
   * @throws UnavailableError when that cannot be found out: never a pass
   */
  abstract isActive(token: string, identity: TokenIdentity): Promise<boolean>;
}
