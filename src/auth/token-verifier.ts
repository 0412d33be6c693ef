import { Injectable } from '@nestjs/common';
import { calculateJwkThumbprint, type CryptoKey, decodeJwt, errors, exportJWK, JWTPayload, jwtVerify } from 'jose';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { AuthenticationError, ErrorCode, UnavailableError } from '../errors/errors';
import { Accounts } from '../users/accounts.service';
import type { Caller } from './caller';
import { LEEWAY_S } from './introspection';
import { EndedTokens } from './ended-tokens';
import { ALGORITHMS, Issuer, MAX_SUBJECT_LENGTH, TokenIdentity } from './issuer';
import { ADMIN_CLAIM, OPERATOR_CLIENT_ID } from './own-issuer';
import { PersonalTokenVerifier } from './personal-tokens/personal-token-verifier';
import { PlatformAdmins } from './platform-admins';
import { allows } from './scopes';
import { Resources } from './resources';
import { storableText } from './storable-text';
import { foreignKind } from './token-kind';
import { tokenScopes } from './token-scopes';
import { TokenMemory, VerifiedToken } from './token-memory';
import { claimedAddress } from './verified-address';

/** Longer lifetimes are rejected, and identities of deleted accounts are kept for as long. */
export const MAX_LIFE_S = 400 * 86_400;
/** The year 5138, which the database can still represent. */
const FAR_FUTURE_S = 1e11;

/** A token with a valid signature and claims. */
interface GoodToken {
  claims: JWTPayload;
  /** The thumbprint of the key that signed it. */
  key: string;
}

/** Verifies access tokens, and caches the result. */
@Injectable()
export class TokenVerifier {
  private readonly admins: PlatformAdmins;
  private readonly resources: Resources;
  private readonly thumbprints = new WeakMap<CryptoKey, string>();

  constructor(
    private readonly environment: Environment,
    private readonly issuer: Issuer,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly memory: TokenMemory,
    private readonly endedTokens: EndedTokens,
    private readonly personalTokens: PersonalTokenVerifier,
  ) {
    this.admins = new PlatformAdmins(environment.platformAdmins);
    this.resources = new Resources(environment.publicUrl);
  }

  /**
   * @returns the cached verification of a token, if it has not expired, its key is still valid, and this process would have
   *   heard of its end
   */
  recall(token: string): VerifiedToken | undefined {
    if (this.personalTokens.covers(token)) return this.personalTokens.recall(token);
    const remembered = this.memory.recall(token);
    if (remembered && this.isUnheard(remembered)) return undefined;
    if (remembered?.key === undefined || this.issuer.knowsKey(remembered.key)) return remembered;
    this.memory.forget(token);
    return undefined;
  }

  /**
   * Checks signature, kind, `iss`, `aud`, `exp`, `nbf` and `sub`, and finds or creates the account. What this service
   * knows of the end of a token is read with the account. A token that its issuer once called inactive stays so for a
   * minute, and then the issuer is asked again, whatever the request says.
   *
   * @param introspect also ask the authorization server, which for personal access tokens is the database, before an account is created for a token that it no longer
   *   knows; a cached token is not verified again, only introspected
   * @throws AuthenticationError `invalid_token`; UnavailableError if the issuer or the database cannot be reached
   */
  async verify(token: string, introspect = false): Promise<VerifiedToken> {
    const { epoch } = this.memory;
    const remembered = this.recall(token);
    if (remembered && !introspect) return remembered;
    if (this.personalTokens.covers(token)) return this.personalTokens.verify(token);
    const doubt = this.memory.doubtAbout(token);
    if (doubt === 'rejected') throw inactive();
    const good = remembered ? undefined : await this.check(token);
    const identity = remembered?.identity ?? { issuer: this.issuer.issuer, subject: good?.claims.sub as string };
    if (introspect || doubt) await this.introspect(token, identity);
    if (remembered) return remembered;
    const verified = await this.open(identity, good as GoodToken);
    if (this.isUnheard(verified)) return verified;
    this.memory.remember(token, verified, epoch, this.issuer.keysGoodUntil().getTime());
    return verified;
  }

  /**
   * Whether a token may have ended without this process hearing of it, so that the database has to be asked. Of an
   * operator's only the account can end, which `DepartedAccounts` then asks about: so what is served from memory goes on
   * being served to them while the database is away.
   */
  private isUnheard({ marks, caller }: VerifiedToken): boolean {
    return marks !== undefined && !caller.isFromOperator && !this.endedTokens.areHeardOf;
  }

  private async open(identity: TokenIdentity, { claims, key }: GoodToken): Promise<VerifiedToken> {
    const { claimed, verified: email, state } = claimedAddress(claims, this.issuer.trustsEmail);
    const name = storableText(claims.name) ?? storableText(claims.preferred_username);
    const saidAt = claims.iat === undefined ? undefined : Math.min(Math.max(claims.iat, 0), FAR_FUTURE_S);
    const marks = this.issuer.marksOf(claims);
    const account = await this.accounts.resolve({ ...identity, email, name, saidAt }, this.issuer.checkOf(marks));
    const isAttested = this.issuer.attestsAdmins && (claims[ADMIN_CLAIM] === true || account.isPlatformAdmin);
    const scopes = tokenScopes(claims, this.issuer);
    // Tokens of our own authorization server name no address: it is that of the account.
    const address = email ?? (this.issuer.attestsAdmins ? (account.email ?? undefined) : undefined);
    const isAdmin = this.admins.has({ subject: identity.subject, email: address, isAttested });
    const caller: Caller = {
      userId: account.id,
      email: account.email,
      name: account.name,
      isPlatformAdmin: isAdmin && allows(scopes, 'platform:admin'),
      signIn: { ...identity, email: claimed ?? null, emailState: state },
      scopes,
      clientId: storableText(claims.client_id) ?? storableText(claims.azp),
      ...this.presence(claims),
      ...this.confinement(claims),
    };
    return { identity, caller, key, ...(marks && { marks }), expiresAt: (claims.exp as number) * 1_000 };
  }

  /**
   * Whether somebody signed in just now: a foreign issuer says it (OpenID Connect Core 1.0, section 2). Our own says it to
   * nobody; of its tokens, only those count that an operator made on the machine.
   */
  private presence({
    client_id: clientId,
    auth_time: authTime,
  }: JWTPayload): Pick<Caller, 'provedAt' | 'isFromOperator'> {
    if (this.issuer.attestsAdmins) return { isFromOperator: clientId === OPERATOR_CLIENT_ID };
    const isMoment = typeof authTime === 'number' && authTime >= 0;
    const isPast = isMoment && authTime <= this.clock.now().getTime() / 1_000 + LEEWAY_S;
    return { provedAt: isPast ? new Date(authTime * 1_000) : null };
  }

  /** @returns the audiences of a token that are this service or a part of it, by their address (RFC 8707) */
  private audiencesIn(token: string): string[] {
    return [decodeJwt(token).aud ?? []].flat().filter((audience) => this.resources.has(audience));
  }

  /** A token for a part of this service only counts there. */
  private confinement({ aud }: JWTPayload): Pick<Caller, 'below'> {
    const audiences = [aud ?? []].flat();
    if (audiences.includes(this.environment.audience)) return {};
    const paths = audiences.flatMap((audience) => this.resources.pathOf(audience) ?? []);
    return paths.includes('/') ? {} : { below: paths[0] };
  }

  /** Introspects the token (RFC 7662); an inactive token is rejected, and no response is never a pass. */
  private async introspect(token: string, identity: TokenIdentity): Promise<void> {
    if (await this.issuer.isActive(token, identity)) return;
    // Our own records are read again with the account; what a foreign issuer said is known to us alone.
    if (this.issuer.attestsAdmins) this.memory.forget(token);
    else this.memory.refuse(token);
    throw inactive();
  }

  private async check(token: string): Promise<GoodToken> {
    const now = this.clock.now();
    try {
      const { payload, protectedHeader, key } = await jwtVerify(token, (header) => this.issuer.key(header), {
        issuer: this.issuer.issuer,
        audience: [...this.environment.audiences, ...this.audiencesIn(token)],
        algorithms: ALGORITHMS,
        clockTolerance: LEEWAY_S,
        currentDate: now,
        requiredClaims: ['exp', 'sub'],
      });
      if (storableText(payload.sub, MAX_SUBJECT_LENGTH) === undefined)
        throw invalid('The access token has no usable "sub".');
      if ((payload.exp as number) > now.getTime() / 1_000 + MAX_LIFE_S)
        throw invalid('The access token expires more than 400 days from now.');
      const foreign = foreignKind(protectedHeader, payload, this.issuer.clientId);
      if (foreign !== undefined) throw invalid(foreign);
      return { claims: payload, key: await this.thumbprint(key) };
    } catch (error) {
      throw error instanceof AuthenticationError || error instanceof UnavailableError ? error : refusal(error);
    }
  }

  /** Issuers return the same object for a key as long as they have it. */
  private async thumbprint(key: CryptoKey): Promise<string> {
    const thumbprint = this.thumbprints.get(key) ?? (await calculateJwkThumbprint(await exportJWK(key)));
    this.thumbprints.set(key, thumbprint);
    return thumbprint;
  }
}

function inactive(): AuthenticationError {
  return invalid('The access token was revoked, or its account is closed or unknown.');
}

function invalid(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}

/** Reports which check failed: the caller holds the token, so this reveals nothing. */
function refusal(error: unknown): Error {
  if (error instanceof errors.JWTExpired) return invalid('The access token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return invalid('The access token is for another audience.');
    if (error.claim === 'iss') return invalid('The access token was issued by another issuer.');
    if (error.claim === 'nbf') return invalid('The access token is not valid yet.');
    return invalid(`The access token has no usable "${error.claim}".`);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return invalid('The signature of the access token is wrong.');
  if (error instanceof errors.JWKSNoMatchingKey) return invalid('The access token is signed with an unknown key.');
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return invalid('The access token does not name the key that signed it, and several are possible.');
  if (error instanceof errors.JOSEAlgNotAllowed)
    return invalid('The access token is signed with an algorithm that is not allowed.');
  if (error instanceof errors.JOSEError || error instanceof TypeError) return invalid('The access token is malformed.');
  return error as Error;
}
