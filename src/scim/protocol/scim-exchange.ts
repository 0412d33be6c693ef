import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ScimClient } from './scim-client';

/** A request of an identity provider in progress. */
export interface ScimExchange {
  client: ScimClient;
  /** The path below the base URL, and the query, as sent. */
  target: string;
  /** Of `performance.now()`. */
  startedAt: number;
  /** Whether the provisioning log has the response, or does not need it. */
  isLogged: boolean;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the SCIM gate if the token is valid. */
    scim?: ScimExchange;
  }
}

const PREFIX = /^\/v1\/organisations\/([^/]+)\/scim\/v2(?=\/|$)/;

/** A path below the base URL of a SCIM service. */
export interface ScimPath {
  /** The organisation as written in the path. */
  orgId: string;
  below: string;
}

/**
 * @param path of a request, without its query, or a path template
 * @returns undefined for any path that is not below `/scim/v2`
 */
export function scimPath(path: string): ScimPath | undefined {
  const match = PREFIX.exec(path);
  return match?.[1] === undefined ? undefined : { orgId: match[1], below: path.slice(match[0].length) };
}

/** @returns the base URL of an organisation's SCIM service: what is pasted into the identity provider */
export function scimBase(publicUrl: string, orgId: string): string {
  return `${publicUrl}/v1/organisations/${orgId}/scim/v2`;
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
