import type { Request, Response } from 'express';
import { decodeJwt } from 'jose';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { bearerToken } from '../bearer.strategy';
import type { TokenVerifier } from '../token-verifier';
import type { People } from './people';

/** The claims of each scope (OpenID Connect Core 1.0, section 5.4). */
const CLAIMS = { email: ['email', 'email_verified'], profile: ['name'] } as const;

/**
 * Answers who the person of an access token is (OpenID Connect Core 1.0, section 5.3). The library can only do that for
 * tokens without an audience, of which there are none here.
 *
 * @throws AuthenticationError for a token that is no good, or was revoked
 */
export async function answerUserInfo(
  verifier: TokenVerifier,
  people: People,
  request: Request,
  response: Response,
): Promise<void> {
  const token = bearerToken(request);
  // The first request of an identity makes its account, without which a token is not active.
  await verifier.verify(token);
  const { identity, caller } = await verifier.verify(token, true);
  if (!identity)
    throw new AuthenticationError(ErrorCode.InvalidToken, 'A personal access token is not one of a sign-in.');
  // One for a part of this service opens only that (RFC 8707).
  if (caller.below !== undefined)
    throw new AuthenticationError(ErrorCode.InvalidToken, 'The access token is for another audience.');
  const { scope } = decodeJwt(token);
  const scopes = typeof scope === 'string' ? scope.split(' ') : ['openid', ...Object.keys(CLAIMS)];
  response.set('Cache-Control', 'no-store');
  if (!scopes.includes('openid')) {
    response
      .status(403)
      .set('WWW-Authenticate', 'Bearer error="insufficient_scope", scope="openid"')
      .json({ error: 'insufficient_scope', error_description: 'the access token needs the scope openid' });
    return;
  }
  const person = await people.find(caller.userId);
  const claims = (await person?.claims('userinfo', scopes.join(' '), {}, [])) ?? { sub: identity.subject };
  const names = Object.entries(CLAIMS).flatMap(([name, ofScope]) => (scopes.includes(name) ? ofScope : []));
  const shown = names.flatMap((name) => (claims[name] === undefined ? [] : [[name, claims[name]]]));
  response.json({ ...Object.fromEntries(shown), sub: identity.subject });
}
