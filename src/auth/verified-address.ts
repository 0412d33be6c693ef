import type { JWTPayload } from 'jose';
import { storableText } from './storable-text';

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const MAX_ADDRESS_LENGTH = 254;

/** Whether a token's `email` is verified, and why; in the order in which the reasons are checked. */
export const EMAIL_STATES = [
  'email_verified',
  'xms_edov',
  'trusted_issuer',
  'not_verified',
  'unusable',
  'missing',
] as const;

export type EmailState = (typeof EMAIL_STATES)[number];

/** The address in a token. */
export interface ClaimedAddress {
  /** The address in the token, verified or not; undefined: nothing that can be an address. */
  claimed: string | undefined;
  /** The same address if it is verified. */
  verified: string | undefined;
  state: EmailState;
}

/**
 * Reads the address of a token (contract, section 12.2). It is verified by `email_verified: true`; by `xms_edov` only
 * where `email_verified` is absent, since Entra ID never sends that; or by any claim of an issuer that the operator
 * trusts.
 *
 * @param trustsIssuer `OIDC_TRUST_EMAIL`
 */
export function claimedAddress(claims: JWTPayload, trustsIssuer: boolean): ClaimedAddress {
  if (claims.email === undefined || claims.email === null) {
    return { claimed: undefined, verified: undefined, state: 'missing' };
  }
  const claimed = storableText(claims.email, MAX_ADDRESS_LENGTH);
  if (claimed === undefined) return { claimed, verified: undefined, state: 'unusable' };
  const state = stateOf(claims, trustsIssuer);
  return { claimed, verified: state === 'not_verified' ? undefined : claimed, state };
}

function stateOf({ email_verified, xms_edov }: JWTPayload, trustsIssuer: boolean): EmailState {
  if (email_verified === true) return 'email_verified';
  // A boolean according to its documentation; v1.0 tokens have it as a number or a string.
  if (email_verified === undefined && [true, 1, '1', 'true'].includes(xms_edov as boolean)) return 'xms_edov';
  return trustsIssuer ? 'trusted_issuer' : 'not_verified';
}
