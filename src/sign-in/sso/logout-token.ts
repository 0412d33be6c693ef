import { type JWTPayload, jwtVerify, errors } from 'jose';
import { storableText } from '../../auth/storable-text';
import type { RelyingParty } from './relying-party';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Asymmetric ones only, whatever the provider's key set contains. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** OpenID Connect Back-Channel Logout 1.0, section 4: JWTs of other kinds must not be taken for logout tokens. */
const TYPES = ['logout+jwt', 'application/logout+jwt', 'jwt'];
const LEEWAY_S = 30;
/** How old a token may be. The provider sends it at once, and repeats it for a while if we do not answer. */
export const MAX_AGE_S = 300;
const MAX_CLAIM_LENGTH = 255;

/** A provider says that the sessions with these values are over. */
export interface LogoutRequest {
  issuer: string;
  subject?: string;
  sid?: string;
  /** Never the same twice. */
  id: string;
}

/** A logout token that is not to be followed; the message is for the provider's operator. */
export class LogoutTokenError extends Error {}

/**
 * Validates a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 *
 * @throws LogoutTokenError if it is not one, SsoFailure if the provider's keys cannot be found out
 */
export async function readLogoutToken(party: RelyingParty, token: string, now: Date): Promise<LogoutRequest> {
  const { issuer, clientId } = party.provider;
  const keys = await party.keys();
  let claims: JWTPayload;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_S,
      maxTokenAge: MAX_AGE_S,
      requiredClaims: ['jti', 'iat', 'exp', 'events'],
      currentDate: now,
    });
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase() ?? 'jwt')) throw new LogoutTokenError('its typ is another');
    claims = payload;
  } catch (error) {
    if (error instanceof errors.JWKSTimeout) throw party.unreachable(error);
    // What jose says names the claim or the header that is wrong, and quotes nothing.
    if (error instanceof errors.JOSEError) throw new LogoutTokenError(error.message);
    if (error instanceof LogoutTokenError) throw error;
    throw party.unreachable(error);
  }
  if (claims.nonce !== undefined) throw new LogoutTokenError('it has a nonce, as ID tokens do');
  const event = (claims.events as Record<string, unknown> | null)?.[EVENT];
  if (typeof event !== 'object' || event === null) throw new LogoutTokenError('its events are of another kind');
  const [subject, sid] = [claims.sub, claims.sid].map((claim) => storableText(claim, MAX_CLAIM_LENGTH));
  const id = storableText(claims.jti, MAX_CLAIM_LENGTH);
  if (id === undefined) throw new LogoutTokenError('its jti is unusable');
  const isUnusable = (claim: unknown, read: string | undefined) => claim !== undefined && read === undefined;
  if (isUnusable(claims.sub, subject) || isUnusable(claims.sid, sid) || (subject ?? sid) === undefined)
    throw new LogoutTokenError('it has no usable sub or sid');
  return { issuer, id, ...(subject === undefined ? {} : { subject }), ...(sid === undefined ? {} : { sid }) };
}
