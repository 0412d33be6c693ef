import { Strategy, VerifiedCallback } from 'passport-jwt';
import type { Request } from 'express';
import { AuthenticationError, ErrorCode } from '../errors/errors';
import type { VerifiedToken } from './token-memory';
import type { TokenVerifier } from './token-verifier';

/**
 * passport-jwt with our own verifier in place of jsonwebtoken: it remembers what it has verified, which is four times
 * as fast (docs/adr/0003), knows EdDSA, and fetches keys. `JwtVerifier` is one for the whole process, so the "key" that
 * the strategy hands to it is how this application verifies this request's token.
 */
export class BearerStrategy extends Strategy {
  constructor(verifier: TokenVerifier) {
    super(
      {
        jwtFromRequest: bearerToken,
        secretOrKeyProvider: (request: Request, _token: string, done: (error: unknown, key: unknown) => void) =>
          done(null, ((token) => verifier.verify(token, asksIntrospection(request))) satisfies Verify),
      } as ConstructorParameters<typeof Strategy>[0],
      (verified: VerifiedToken, done: VerifiedCallback) => done(null, verified),
    );
  }
}

type Verify = (token: string) => Promise<VerifiedToken>;

type JwtVerifier = (
  token: string,
  verify: Verify,
  options: object,
  done: (error: unknown, verified?: VerifiedToken) => void,
) => void;

(Strategy as unknown as { JwtVerifier: JwtVerifier }).JwtVerifier = (token, verify, _options, done) => {
  verify(token).then((verified) => done(null, verified), done);
};

/**
 * Takes the token from the `Authorization` header, the only place that counts (RFC 6750, section 2.1).
 *
 * @param kind what kind of token is asked for, in the words of the errors
 * @throws AuthenticationError when there is none, or the header is malformed
 */
export function bearerToken(request: Request, kind: 'access' | 'SCIM' = 'access'): string {
  const header = request.headers.authorization;
  if (header === undefined || !/^bearer( |$)/i.test(header)) {
    const article = kind === 'access' ? 'an' : 'a';
    throw new AuthenticationError(
      ErrorCode.AuthenticationRequired,
      `This needs ${article} ${kind} token: send "Authorization: Bearer <${kind.toUpperCase()}_TOKEN>".`,
    );
  }
  const token = header.slice('bearer '.length).trim();
  if (!/^[\w~+/-][\w~+/.-]*=*$/.test(token)) {
    throw new AuthenticationError(ErrorCode.InvalidToken, `The ${kind} token is malformed.`);
  }
  return token;
}

/**
 * @returns whether the caller wants the authorization server to be asked (`verify_locally=false`). What is neither
 *   true nor false is for the validation to name. Looked up in the parsed query, since a name may be percent-encoded.
 */
export function asksIntrospection(request: Request): boolean {
  if (!request.url.includes('?')) return false;
  const asked = request.query.verify_locally;
  return typeof asked === 'string' && /^(false|0|no|off)$/i.test(asked);
}
