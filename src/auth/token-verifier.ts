import { Injectable } from '@nestjs/common';
import { errors, JWTPayload, jwtVerify } from 'jose';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { AuthenticationError, ErrorCode, UnavailableError } from '../http/errors';
import { Accounts } from '../users/accounts.service';
import { ALGORITHMS, Issuer, TokenIdentity } from './issuer';
import { TokenMemory, VerifiedToken } from './token-memory';

/** Clocks of issuers differ from ours (contract, section 3). */
const LEEWAY_S = 30;
/** OpenID Connect Core 1.0, section 2. Longer than any real one, and short enough for an index. */
const LONGEST_SUBJECT = 255;
/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const LONGEST_ADDRESS = 254;
/** The year 5138, which a database can still say. */
const FAR_FUTURE_S = 1e11;

/** Verifies access tokens, and remembers what was verified. */
@Injectable()
export class TokenVerifier {
  private readonly memory: TokenMemory;

  constructor(
    private readonly environment: Environment,
    private readonly issuer: Issuer,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {
    this.memory = new TokenMemory(clock);
  }

  /** @returns the verification of a token that was seen before and has not expired */
  recall(token: string): VerifiedToken | undefined {
    return this.memory.recall(token);
  }

  /**
   * Checks signature, `iss`, `aud`, `exp`, `nbf` and `sub`, and finds or makes the account.
   *
   * @param introspect ask the authorization server too, before an account is made for a token that it does not know
   *   any more; a remembered token is not verified again, only asked about
   * @throws AuthenticationError `invalid_token`; UnavailableError when the issuer or the database are out of reach
   */
  async verify(token: string, introspect = false): Promise<VerifiedToken> {
    const remembered = this.recall(token);
    if (remembered && !introspect) return remembered;
    const claims = remembered ? undefined : await this.claims(token);
    const identity = remembered?.identity ?? { issuer: this.issuer.issuer, subject: claims?.sub as string };
    if (introspect) await this.introspect(token, identity);
    return remembered ?? this.open(token, identity, claims as JWTPayload);
  }

  private async open(token: string, identity: TokenIdentity, claims: JWTPayload): Promise<VerifiedToken> {
    const email = claims.email_verified === true ? storableText(claims.email, LONGEST_ADDRESS) : undefined;
    const name = storableText(claims.name) ?? storableText(claims.preferred_username);
    const saidAt = claims.iat === undefined ? undefined : Math.min(Math.max(claims.iat, 0), FAR_FUTURE_S);
    const account = await this.accounts.resolve({ ...identity, email, name, saidAt });
    const { platformAdmins } = this.environment;
    const isPlatformAdmin =
      platformAdmins.includes(identity.subject) ||
      (email !== undefined && platformAdmins.some((admin) => admin.toLowerCase() === email.toLowerCase()));
    const caller = { userId: account.id, email: account.email, name: account.name, isPlatformAdmin };
    const verified = { identity, caller, expiresAt: (claims.exp as number) * 1_000 };
    this.memory.remember(token, verified);
    return verified;
  }

  /** Asks the authorization server (RFC 7662); it says no, or nothing: never a pass. */
  private async introspect(token: string, identity: TokenIdentity): Promise<void> {
    if (await this.issuer.isActive(token, identity)) return;
    this.memory.forget(token);
    throw invalid('The access token was revoked, or its account is closed or unknown.');
  }

  private async claims(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, (header) => this.issuer.key(header), {
        issuer: this.issuer.issuer,
        audience: this.environment.audience,
        algorithms: ALGORITHMS,
        clockTolerance: LEEWAY_S,
        currentDate: this.clock.now(),
        requiredClaims: ['exp', 'sub'],
      });
      if (storableText(payload.sub, LONGEST_SUBJECT) === undefined)
        throw invalid('The access token has no usable "sub".');
      return payload;
    } catch (error) {
      throw error instanceof AuthenticationError || error instanceof UnavailableError ? error : refusal(error);
    }
  }
}

/** Only what PostgreSQL can store counts as text. */
function storableText(claim: unknown, longest = Infinity): string | undefined {
  if (typeof claim !== 'string' || claim === '' || claim.length > longest) return undefined;
  return claim.includes('\0') || !claim.isWellFormed() ? undefined : claim;
}

function invalid(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}

/** Says which check failed: all of it is in the token that the caller holds anyway. */
function refusal(error: unknown): Error {
  if (error instanceof errors.JWTExpired) return invalid('The access token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return invalid('The access token is for another audience.');
    if (error.claim === 'iss') return invalid('The access token is of another issuer.');
    if (error.claim === 'nbf') return invalid('The access token is not valid yet.');
    return invalid(`The access token has no usable "${error.claim}".`);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return invalid('The signature of the access token is wrong.');
  if (error instanceof errors.JWKSNoMatchingKey) return invalid('The access token is signed with an unknown key.');
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return invalid('The access token does not say by which of several keys it is signed.');
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalid('The access token is signed with an algorithm that is not allowed.');
  if (error instanceof errors.JOSEError || error instanceof TypeError) return invalid('The access token is malformed.');
  return error as Error;
}
