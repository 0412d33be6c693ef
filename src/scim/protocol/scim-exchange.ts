import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { LoggedRequest, ScimClient } from './scim-client';

/** A request of an identity provider in progress. */
export interface ScimExchange {
  client: ScimClient & { request: LoggedRequest };
  /** Whether the provisioning log has the response, or does not need it. */
  isLogged: boolean;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the SCIM gate if the token is valid. */
    scim?: ScimExchange;
  }
}

/** @throws Error on a route outside the SCIM gate */
export function exchangeOf(request: Request): ScimExchange {
  if (!request.scim) throw new Error('Only SCIM routes have a SCIM client.');
  return request.scim;
}

/** The identity provider, for a controller's method whose route is declared `scim-token`. */
export const CurrentScimClient = createParamDecorator(
  (_: unknown, context: ExecutionContext): ScimClient =>
    exchangeOf(context.switchToHttp().getRequest<Request>()).client,
);
