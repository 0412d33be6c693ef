import type { JWTHeaderParameters, JWTPayload } from 'jose';

/** Header types of access tokens: RFC 9068, section 2.1, and the default of JWT libraries. */
const ACCESS_TYPES = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

/** Values of a claim `typ` in which Keycloak states the purpose of a token. */
const KEYCLOAK_TYPES = new Set(['ID', 'Serialized-ID', 'Refresh', 'Offline', 'Logout']);

/** Claims that some issuers put into access tokens, and that no ID token has. */
const ACCESS_CLAIMS = ['scope', 'scp', 'client_id', 'cid', 'gty', 'idtyp'];

/** Hashes that bind an ID token to what was issued with it (OpenID Connect Core 1.0, sections 3.1.3.6 and 3.3.2.11). */
const HASHES = ['at_hash', 'c_hash', 's_hash'];

/**
 * Tells an access token from other tokens that the same issuer signs with the same keys (RFC 8725, section 3.11):
 * logout tokens, proofs of possession, security events, and ID tokens, which tell a client who the user is and give
 * that client no access to anything.
 *
 * An ID token has no mark of its own, so several are checked, each only if nothing identifies it as an access token:
 * Keycloak before 25 and authentik put the `nonce` into access tokens too, and where an Entra ID application calls
 * itself, `aud` and `azp` are the same.
 *
 * @param clientId `OIDC_CLIENT_ID`, the possible audience of an ID token
 * @returns what is wrong with it, for the caller; undefined: nothing
 */
export function foreignKind(
  { typ }: JWTHeaderParameters,
  claims: JWTPayload,
  clientId: string | undefined,
): string | undefined {
  if (typ !== undefined && !ACCESS_TYPES.has(String(typ).toLowerCase()))
    return 'This token is not an access token: its "typ" belongs to another kind of token.';
  return isIdToken(String(typ).toLowerCase(), claims, clientId)
    ? 'This token is not an access token: it is an ID token, which is meant for the client only. Send the access token.'
    : undefined;
}

function isIdToken(type: string, claims: JWTPayload, clientId: string | undefined): boolean {
  if (typeof claims.token_use === 'string') return claims.token_use !== 'access'; // Amazon Cognito
  if (typeof claims.typ === 'string' && KEYCLOAK_TYPES.has(claims.typ)) return true;
  if (type.endsWith('at+jwt') || claims.typ === 'Bearer') return false;
  if (HASHES.some((claim) => claims[claim] !== undefined)) return true;
  if (ACCESS_CLAIMS.some((claim) => claims[claim] !== undefined)) return false;
  if (claims.nonce !== undefined) return true;
  const { aud, azp } = claims;
  const only = Array.isArray(aud) && aud.length === 1 ? (aud[0] as unknown) : aud;
  return only !== undefined && (only === azp || only === clientId);
}
