import type { JWTPayload } from 'jose';
import type { Issuer } from './issuer';
import { isScope, type Scope } from './scopes';

/**
 * Reads the scopes that a JWT is limited to: from `scope` (RFC 9068, section 2.2.3) and `scp`, as Okta and Entra ID
 * write it; each is a string with spaces or a list. Scopes that are not ours are for other services.
 *
 * Our own issuer writes `scope` into every token that it limits, so a token with any, such as `openid` alone, is limited
 * to what it says. Foreign issuers put `openid` and the like into all tokens, so none of ours means that nobody has
 * registered them there: then the roles alone decide, unless `SCOPES=required`.
 *
 * @returns undefined: not limited; an empty set: may do nothing
 */
export function tokenScopes(
  { scope, scp }: JWTPayload,
  { limitsByScope, requiresScopes }: Pick<Issuer, 'limitsByScope' | 'requiresScopes'>,
): ReadonlySet<Scope> | undefined {
  const scopes = new Set([...wordsOf(scope), ...wordsOf(scp)].filter(isScope));
  const isStated = scope !== undefined || scp !== undefined;
  const isLimited = scopes.size > 0 || requiresScopes || (limitsByScope && isStated);
  return isLimited ? scopes : undefined;
}

function wordsOf(claim: unknown): string[] {
  const texts: unknown[] = Array.isArray(claim) ? claim : [claim];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
}
