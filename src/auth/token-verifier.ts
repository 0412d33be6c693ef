import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { errors, JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { AuthenticationError, ErrorCode, UnavailableError } from '../http/errors';
import { Accounts } from '../users/accounts.service';
import type { Caller } from './caller';
import { ALGORITHMS, Issuer, TokenIdentity } from './issuer';

/** Clocks of issuers differ from ours (contract, section 3). */
const LEEWAY_S = 30;
const REMEMBERED_TOKENS = 10_000;

/** A token that was found good, and the account that it stands for. */
export interface VerifiedToken {
  identity: TokenIdentity;
  caller: Caller;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * Verifies access tokens. What was verified is remembered until the token expires, keyed by a digest so that memory
 * holds no tokens; roles and memberships are never part of it (contract, section 3).
 */
@Injectable()
export class TokenVerifier {
  private readonly remembered = new LRUCache<string, VerifiedToken>({ max: REMEMBERED_TOKENS });

  constructor(
    private readonly environment: Environment,
    private readonly issuer: Issuer,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  /** @returns the verification of a token that was seen before and has not expired */
  recall(token: string): VerifiedToken | undefined {
    const digest = digestOf(token);
    const verified = this.remembered.get(digest);
    if (verified === undefined || verified.expiresAt > this.clock.now().getTime()) return verified;
    this.remembered.delete(digest);
    return undefined;
  }

  /**
   * Checks signature, `iss`, `aud`, `exp`, `nbf` and `sub`, and finds or makes the account.
   *
   * @throws AuthenticationError `invalid_token`; UnavailableError when the issuer's keys or the database are out of reach
   */
  async verify(token: string): Promise<VerifiedToken> {
    const claims = await this.claims(token);
    const identity = { issuer: this.issuer.issuer, subject: claims.sub as string };
    const email = claims.email_verified === true ? storableText(claims.email) : undefined;
    const name = storableText(claims.name) ?? storableText(claims.preferred_username);
    const account = await this.accounts.resolve({ ...identity, email, name });
    const { platformAdmins } = this.environment;
    const isPlatformAdmin =
      platformAdmins.includes(identity.subject) ||
      (email !== undefined && platformAdmins.some((admin) => admin.toLowerCase() === email.toLowerCase()));
    const caller = { userId: account.id, email: account.email, name: account.name, isPlatformAdmin };
    const verified = { identity, caller, expiresAt: (claims.exp as number) * 1_000 };
    this.remembered.set(digestOf(token), verified);
    return verified;
  }

  /**
   * Asks the authorization server, too (`verify_locally=false`).
   *
   * @throws AuthenticationError when it says no, UnavailableError when it says nothing
   */
  async introspect(token: string, { identity }: VerifiedToken): Promise<void> {
    if (await this.issuer.isActive(token, identity)) return;
    this.remembered.delete(digestOf(token));
    throw invalid('The access token was revoked, or its account is closed.');
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
      if (storableText(payload.sub) === undefined) throw invalid('The access token has no usable "sub".');
      return payload;
    } catch (error) {
      throw error instanceof AuthenticationError || error instanceof UnavailableError ? error : refusal(error);
    }
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** Only what PostgreSQL can store counts as text. */
function storableText(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && !claim.includes('\0') && claim.isWellFormed() ? claim : undefined;
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
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalid('The access token is signed with an algorithm that is not allowed.');
  if (error instanceof errors.JOSEError || error instanceof TypeError) return invalid('The access token is malformed.');
  return error as Error;
}
