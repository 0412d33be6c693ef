import { Strategy, VerifiedCallback } from 'passport-jwt';
import type { Request } from 'express';
import { AuthenticationError, ErrorCode } from '../http/errors';
import type { TokenVerifier, VerifiedToken } from './token-verifier';

/**
 * passport-jwt with our own verifier in place of jsonwebtoken: it remembers what it has verified, which is four times
 * as fast (docs/adr/0003), knows EdDSA, and fetches keys. The key that the strategy passes to its verifier is simply
 * the verifier of this application, since `JwtVerifier` is one for the whole process.
 */
export class BearerStrategy extends Strategy {
  constructor(verifier: TokenVerifier) {
    super(
      {
        jwtFromRequest: bearerToken,
        secretOrKeyProvider: (_request: Request, _token: string, done: (error: unknown, key: unknown) => void) =>
          done(null, verifier),
      } as ConstructorParameters<typeof Strategy>[0],
      (verified: VerifiedToken, done: VerifiedCallback) => done(null, verified),
    );
  }
}

type JwtVerifier = (
  token: string,
  verifier: TokenVerifier,
  options: object,
  done: (error: unknown, verified?: VerifiedToken) => void,
) => void;

(Strategy as unknown as { JwtVerifier: JwtVerifier }).JwtVerifier = (token, verifier, _options, done) => {
  const verified = verifier.recall(token);
  if (verified) done(null, verified);
  else verifier.verify(token).then((fresh) => done(null, fresh), done);
};

/**
 * Takes the token from the `Authorization` header, the only place that counts (RFC 6750, section 2.1).
 *
 * @throws AuthenticationError when there is none, or the header is malformed
 */
export function bearerToken(request: Request): string {
  const header = request.headers.authorization;
  if (header === undefined || !/^bearer( |$)/i.test(header)) {
    throw new AuthenticationError(
      ErrorCode.AuthenticationRequired,
      'This needs an access token: send "Authorization: Bearer <ACCESS_TOKEN>".',
    );
  }
  const token = header.slice('bearer '.length).trim();
  if (!/^[\w~+/-][\w~+/.-]*=*$/.test(token)) {
    throw new AuthenticationError(ErrorCode.InvalidToken, 'The access token is malformed.');
  }
  return token;
}
