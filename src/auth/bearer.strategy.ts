import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import type { Request } from 'express';
import { AuthenticationError, ErrorCode } from '../errors/errors';
import type { Caller } from './caller';
import type { VerifiedToken } from './token-memory';
import type { TokenVerifier } from './token-verifier';

/** The strategy's name in passport's registry. */
export const BEARER = 'bearer';

/** What the access guard passes to the strategy with a request. */
export interface BearerOptions {
  /** The verifier belongs to the application that received the request. */
  verifier: TokenVerifier;
}

/**
 * passport-jwt with our own verifier instead of jsonwebtoken: it caches what it has verified, which is four times as
 * fast (docs/adr/0003), supports EdDSA, and fetches keys.
 *
 * Passport has one registry of strategies per process, but several applications may run in it, as in the tests. So the
 * strategy holds no state of an application, and it does not matter whose instance is registered.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, BEARER) {
  constructor() {
    super({ jwtFromRequest: bearerToken, secretOrKeyProvider: noKeyForJsonwebtoken });
  }

  /**
   * Reports a bad token as an error rather than a passport failure: the guard then throws it with its code and text.
   */
  override authenticate(request: Request, { verifier }: BearerOptions): void {
    verifier.verify(bearerToken(request), asksIntrospection(request)).then(
      (verified) => this.success(this.validate(verified)),
      (error: Error) => this.error(error),
    );
  }

  /** @returns the value of `request.caller` */
  validate({ caller }: VerifiedToken): Caller {
    return caller;
  }
}

/** passport-jwt requires a source of keys, for jsonwebtoken. `authenticate` above calls the verifier instead. */
function noKeyForJsonwebtoken(): never {
  throw new Error('Access tokens are verified by TokenVerifier only.');
}

/**
 * Takes the token from the `Authorization` header, the only place supported (RFC 6750, section 2.1).
 *
 * @param kind the kind of token required, in the words of the errors
 * @throws AuthenticationError if there is none, or the header is malformed
 */
export function bearerToken(request: Request, kind = 'access'): string {
  const header = request.headers.authorization;
  if (header === undefined || !/^bearer( |$)/i.test(header)) {
    const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
    throw new AuthenticationError(
      ErrorCode.AuthenticationRequired,
      `This operation requires ${article} ${kind} token: send "Authorization: Bearer <${kind.toUpperCase()}_TOKEN>".`,
    );
  }
  const token = header.slice('bearer '.length).trim();
  if (!/^[\w~+/-][\w~+/.-]*=*$/.test(token)) {
    throw new AuthenticationError(ErrorCode.InvalidToken, `The ${kind} token is malformed.`);
  }
  return token;
}

/**
 * @returns whether the caller wants the token introspected (`verify_locally=false`). Invalid values are left to
 *   validation. Looks at the parsed query, since a name may be percent-encoded.
 */
export function asksIntrospection(request: Request): boolean {
  if (!request.url.includes('?')) return false;
  const value = request.query.verify_locally;
  return typeof value === 'string' && /^(false|0|no|off)$/i.test(value);
}
