import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes';
import type { EmailState } from './verified-address';

/** What the access token says about the caller, so that they can see how their access was determined. */
export interface SignIn {
  issuer: string;
  subject: string;
  /** The address in the token, verified or not. */
  email: string | null;
  emailState: EmailState;
}

/** The caller: the account behind a verified access token. */
export interface Caller {
  userId: string;
  /** A verified address, or null. */
  email: string | null;
  name: string | null;
  isPlatformAdmin: boolean;
  /** What the access token of an issuer says; absent with any other credential. */
  signIn?: SignIn;
  /** The scopes of the credential; undefined if it is not limited to any. */
  scopes?: ReadonlySet<Scope>;
  /** The OAuth client to which the access token was issued, if it says so (RFC 9068, section 2.2). */
  clientId?: string;
  /**
   * When the person last proved who they are, if the credential says so: a session in a browser, or a token of a foreign
   * issuer. A token that this service issues to a program never says it.
   */
  provedAt?: Date | null;
  /** Whether an operator made the access token on the machine (`npm run token`). */
  isFromOperator?: boolean;
  /** The id of the personal access token, if the caller uses one. */
  personalTokenId?: string;
  /** The path below which their access token is accepted; undefined: everywhere. */
  below?: string;
  /** The id of the only resource that the caller may read, if they used a token of it. */
  confinedTo?: string;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the access guard on every route that is not open. */
    caller?: Caller;
  }
}

/** The caller, for a controller's method; the route must not be open. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error('An open route has no caller.');
  return caller;
});
