import type { TokenIdentity } from './issuer';

/** An introspection response (RFC 7662, section 2.2). */
export interface IntrospectionAnswer {
  active?: unknown;
  sub?: unknown;
  iss?: unknown;
  aud?: unknown;
  exp?: unknown;
  nbf?: unknown;
  token_type?: unknown;
  /** Ory Hydra, Amazon Cognito. */
  token_use?: unknown;
  /** Keycloak. */
  typ?: unknown;
}

/** Clocks of issuers differ from ours (contract, section 3). */
export const LEEWAY_S = 30;

/** Servers use different fields for this, and some introspect refresh tokens as well as access tokens. */
const OTHER_TOKEN = /refresh|offline|logout|^id(?:_token)?$/i;

/**
 * Whether a response confirms an access token, of this issuer, for us, and valid now. A server that reports `active`
 * for anything else answers a different question. Claims it omits were checked in the token itself.
 */
export function confirmsToken(
  answer: IntrospectionAnswer,
  expected: TokenIdentity & { audiences: readonly string[]; now: Date },
): boolean {
  const { active, sub, iss, aud, exp, nbf } = answer;
  const seconds = expected.now.getTime() / 1_000;
  if (active !== true) return false;
  if (sub !== undefined && sub !== expected.subject) return false;
  if (iss !== undefined && iss !== expected.issuer) return false;
  if (aud !== undefined && ![aud].flat().some((one) => expected.audiences.includes(one as string))) return false;
  if (exp !== undefined && !(Number(exp) > seconds - LEEWAY_S)) return false;
  if (nbf !== undefined && !(Number(nbf) <= seconds + LEEWAY_S)) return false;
  return [answer.token_type, answer.token_use, answer.typ].every(
    (kind) => kind === undefined || (typeof kind === 'string' && !OTHER_TOKEN.test(kind)),
  );
}
