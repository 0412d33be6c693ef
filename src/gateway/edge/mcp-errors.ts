import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment';
import {
  AuthenticationError,
  DomainError,
  ErrorCode,
  InsufficientScopeError,
  ValidationError,
} from '../../errors/errors';
import { challengeOf } from '../../http/answers/challenge';
import type { ErrorDialect } from '../../http/answers/error-dialect';
import { httpStatus } from '../../http/answers/error-status';
import { isRequestId, RpcCode, RpcFailure, type RequestId } from '../protocol/json-rpc';

/** What a client should ask for when it has no token: everything that an endpoint offers. */
export const ALL_SCOPES = 'mcp:read mcp:call';

/** For a `503` that does not know better: without it, clients try again at once or never. */
const RETRY_AFTER_S = 10;

/**
 * Errors of endpoints: JSON-RPC, with the status that the transport prescribes. What JSON-RPC and MCP have no code for has its
 * status as the code, which is outside of the ranges that they reserve.
 */
@Injectable()
export class McpErrors implements ErrorDialect {
  private readonly metadata: string;

  constructor({ publicUrl }: Environment) {
    this.metadata = `${publicUrl}/.well-known/oauth-protected-resource`;
  }

  covers(path: string): boolean {
    return path.startsWith('/mcp/');
  }

  owns(error: unknown): error is RpcFailure {
    return error instanceof RpcFailure;
  }

  answer(error: Error, request: Request, response: Response): void {
    const failure = failureOf(error).of(requestIdOf(response));
    if (error instanceof AuthenticationError) error.scope = ALL_SCOPES;
    const challenge = challengeOf('toolyard', error, this.metadata + request.path);
    if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
    // The word of the log; a number would say less.
    if (error instanceof RpcFailure) response.locals.errorCode = `json_rpc ${error.code}`;
    if (failure.status === 503 && !response.hasHeader('Retry-After'))
      response.setHeader('Retry-After', String(RETRY_AFTER_S));
    response.status(failure.status).set('Cache-Control', 'no-store').type('application/json').send(failure.body);
  }
}

/** Remembers which request is answered, for whatever goes wrong with it. */
export function noteRequestId(response: Response, id: RequestId): void {
  response.locals.rpcId = id;
}

/** @returns an error of any kind as the answer to a request */
export function failureOf(error: Error): RpcFailure {
  if (error instanceof RpcFailure) return error;
  if (error instanceof ValidationError) return new RpcFailure(400, RpcCode.InvalidParams, error.message);
  if (!(error instanceof DomainError))
    return new RpcFailure(500, RpcCode.InternalError, 'Something went wrong on our side.');
  const status = httpStatus(error);
  if (error.code === ErrorCode.InternalError.code) return new RpcFailure(500, RpcCode.InternalError, error.message);
  const data = error instanceof InsufficientScopeError ? { requiredScopes: error.missing } : undefined;
  return new RpcFailure(status, status === 400 ? RpcCode.InvalidRequest : status, error.message, undefined, data);
}

function requestIdOf({ locals }: Response): RequestId | undefined {
  const { rpcId } = locals as { rpcId?: unknown };
  return isRequestId(rpcId) ? rpcId : undefined;
}
