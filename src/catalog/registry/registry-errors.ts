import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment';
import type { ErrorDialect } from '../../http/error-dialect';
import { ERROR_STATUS } from '../../http/error-status';
import { DomainError, ErrorCode, ValidationError } from '../../http/errors';
import { isRegistryPath } from './registry-path';

/** Faults that the official registry answers with 400 instead of 422. */
const BAD_REQUESTS = new Set(['updated_since', 'include_deleted', 'cursor']);

/**
 * The errors of the registry API. Its documents say `{"error"}`, the official server answers problem details
 * (RFC 9457); clients were written against either, so both are in one body.
 */
@Injectable()
export class RegistryErrors implements ErrorDialect {
  constructor(private readonly environment: Environment) {}

  covers(path: string): boolean {
    return isRegistryPath(path);
  }

  owns(_error: unknown): _error is never {
    return false;
  }

  answer(error: DomainError | ValidationError, _request: Request, response: Response): void {
    const status = error instanceof ValidationError ? statusOf(error) : ERROR_STATUS[error.code];
    const title = TITLES[status] ?? 'Error';
    if (status === 401) {
      const metadata = `${this.environment.publicUrl}/.well-known/oauth-protected-resource`;
      // RFC 6750, section 3.1: by this a client learns that it needs another token, not another account.
      const reason =
        error instanceof DomainError && error.code === ErrorCode.InvalidToken ? 'error="invalid_token", ' : '';
      response.setHeader('WWW-Authenticate', `Bearer realm="MCP Registry", ${reason}resource_metadata="${metadata}"`);
    }
    const faults = error instanceof ValidationError ? error.faults : [];
    const errors = faults.map(({ loc, msg }) => ({ location: loc.join('.'), message: msg }));
    response
      .status(status)
      .type('application/problem+json')
      .send(
        JSON.stringify({
          error: error.message,
          title,
          status,
          detail: error.message,
          ...(errors.length > 0 && { errors }),
        }),
      );
  }
}

const TITLES: Partial<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

function statusOf({ faults }: ValidationError): number {
  const isBad = faults.some(({ loc: [place, name = ''] }) => place === 'path' || BAD_REQUESTS.has(name));
  return isBad ? 400 : 422;
}
