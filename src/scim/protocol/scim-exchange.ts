import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ScimClient } from './scim-client';

/** A request of an identity provider on its way to its answer. */
export interface ScimExchange {
  client: ScimClient;
  /** What is asked for: the path below the base address, and the query, as they were sent. */
  target: string;
  /** Of `performance.now()`. */
  startedAt: number;
  /** Whether the provisioning log has, or is not to have, the answer. */
  isLogged: boolean;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the SCIM gate when the token is good. */
    scim?: ScimExchange;
  }
}

const PREFIX = /^\/v1\/organisations\/([^/]+)\/scim\/v2(?=\/|$)/;

/** A path below the base address of a SCIM service. */
export interface ScimPath {
  /** The organisation as the path names it. */
  orgId: string;
  below: string;
}

/**
 * @param path of a request, without its query, or a path template
 * @returns undefined for any path that is not below `/scim/v2`
 */
export function scimPath(path: string): ScimPath | undefined {
  const found = PREFIX.exec(path);
  return found?.[1] === undefined ? undefined : { orgId: found[1], below: path.slice(found[0].length) };
}

/** @returns the base address of an organisation's SCIM service: what is pasted into the identity provider */
export function scimBase(publicUrl: string, orgId: string): string {
  return `${publicUrl}/v1/organisations/${orgId}/scim/v2`;
}

/** @throws Error on a route that the SCIM gate does not stand before */
export function exchangeOf(request: Request): ScimExchange {
  if (!request.scim) throw new Error('Only SCIM routes have a SCIM client.');
  return request.scim;
}

/** The identity provider, for a controller's method whose route is declared `scim-token`. */
export const CurrentScimClient = createParamDecorator(
  (_: unknown, context: ExecutionContext): ScimClient =>
    exchangeOf(context.switchToHttp().getRequest<Request>()).client,
);
