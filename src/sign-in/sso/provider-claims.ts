import type { JWTPayload } from 'jose';
import { type ClaimedAddress, claimedAddress } from '../../auth/verified-address';
import { storableText } from '../../auth/storable-text';
import { SsoFailure } from './sso-failure';

/** OpenID Connect Core 1.0, section 2. Longer than any real one, and short enough for an index. */
const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 1_000;
const MAX_SID_LENGTH = 255;

/** Who signed in, according to the provider. */
export interface ProviderPerson {
  issuer: string;
  subject: string;
  /** The session at the provider. */
  sid?: string;
  name?: string;
  address: ClaimedAddress;
  /** When the provider said so, in seconds since the epoch. */
  saidAt: number;
  /** When the person proved who they are there (`auth_time`), if the provider says, in seconds since the epoch. */
  provedAt?: number;
}

/** What an ID token and, if it was asked for, the UserInfo endpoint say. */
type Claims = JWTPayload;

/**
 * @param idToken verified claims
 * @returns whether only the UserInfo endpoint can say which address the person has, or whether it is verified: many
 *   providers keep those claims out of ID tokens that come with an access token (OpenID Connect Core 1.0, section 5.4)
 */
export function needsUserInfo(idToken: Claims): boolean {
  return idToken.email === undefined || (idToken.email_verified === undefined && idToken.xms_edov === undefined);
}

/**
 * Completes the claims of an ID token. An address and the statement that it is verified stay together: one from the
 * UserInfo endpoint says nothing about another address in the ID token.
 */
export function completed(idToken: Claims, userInfo: Claims): Claims {
  const { email, email_verified, xms_edov, name, preferred_username } = userInfo;
  const isSame = idToken.email === undefined || idToken.email === email;
  return { name, preferred_username, ...(isSame ? { email, email_verified, xms_edov } : {}), ...defined(idToken) };
}

/**
 * @param claims verified, and complete
 * @param trustsEmail `SSO_TRUST_EMAIL`
 * @throws SsoFailure if the claims name no one
 */
export function personOf(claims: Claims, trustsEmail: boolean): ProviderPerson {
  const { iss, iat } = claims;
  const subject = storableText(claims.sub, MAX_SUBJECT_LENGTH);
  if (iss === undefined || subject === undefined || iat === undefined)
    throw new SsoFailure('invalid', 'the ID token has no usable iss, sub or iat');
  const sid = storableText(claims.sid, MAX_SID_LENGTH);
  const name = storableText(claims.name, MAX_NAME_LENGTH) ?? storableText(claims.preferred_username, MAX_NAME_LENGTH);
  return {
    issuer: iss,
    subject,
    ...(sid === undefined ? {} : { sid }),
    ...(name === undefined ? {} : { name }),
    address: claimedAddress(claims, trustsEmail),
    saidAt: iat,
    ...(isMoment(claims.auth_time) ? { provedAt: claims.auth_time } : {}),
  };
}

/** Up to the year 5138. */
function isMoment(claim: unknown): claim is number {
  return typeof claim === 'number' && claim >= 0 && claim <= 1e11;
}

function defined(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
