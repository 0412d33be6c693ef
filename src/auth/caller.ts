import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { EmailState } from './verified-address';

/** What the access token says of who is calling, so that they can see why they are who they are here. */
export interface SignIn {
  issuer: string;
  subject: string;
  /** The address in the token, verified or not. */
  email: string | null;
  emailState: EmailState;
}

/** Who is calling: the account behind a verified access token. */
export interface Caller {
  userId: string;
  /** A verified address, or null. */
  email: string | null;
  name: string | null;
  isPlatformAdmin: boolean;
  /** How the caller signed in; absent with a token that opens one thing only. */
  signIn?: SignIn;
  /** The id of the one thing to which the caller is confined, reading only: they came with a token of it. */
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
