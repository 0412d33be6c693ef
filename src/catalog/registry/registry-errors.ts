import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment';
import { challengeOf } from '../../http/answers/challenge';
import type { ErrorDialect } from '../../http/answers/error-dialect';
import { httpStatus } from '../../http/answers/error-status';
import { DomainError, ErrorCode, ValidationError } from '../../errors/errors';
import { doubledBase, isRegistryPath } from './registry-path';

/** Parameters for which the official registry responds 400 instead of 422. */
const BAD_REQUESTS = new Set(['updated_since', 'include_deleted', 'cursor']);

/**
 * The errors of the registry API. Its documentation specifies `{"error"}` as `application/json`; the official server
 * sends problem details (RFC 9457). Clients were written against either, so the body contains the fields of both, as
 * `application/json`, which is the documented type.
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

  answer(error: DomainError | ValidationError, request: Request, response: Response): void {
    const status = error instanceof ValidationError ? statusOf(error) : httpStatus(error);
    const title = TITLES[status] ?? 'Error';
    const metadata = `${this.environment.publicUrl}/.well-known/oauth-protected-resource`;
    const challenge = challengeOf('MCP Registry', error, metadata);
    if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
    const detail = this.advice(error, request) ?? error.message;
    const faults = error instanceof ValidationError ? error.faults : [];
    const errors = faults.map(({ loc, msg }) => ({ location: loc.join('.'), message: msg }));
    response
      .status(status)
      .type('application/json')
      .send(
        JSON.stringify({
          error: detail,
          title,
          status,
          detail,
          ...(errors.length > 0 && { errors }),
        }),
      );
  }

  /** A base address that was configured with the API version appended leads to 404; this message explains why. */
  private advice(error: DomainError | ValidationError, { baseUrl, path: subpath }: Request): string | undefined {
    const path = baseUrl + subpath;
    const base = doubledBase(path);
    if (base === undefined || error instanceof ValidationError || error.code !== ErrorCode.NotFound.code)
      return undefined;
    return `${path} does not exist. Clients append /v0.1 themselves: configure ${this.environment.publicUrl}${base} as the address of the registry, without a suffix.`;
  }
}

const TITLES: Partial<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

function statusOf({ faults }: ValidationError): number {
  const isBad = faults.some(({ loc: [place, name = ''] }) => place === 'path' || BAD_REQUESTS.has(name));
  return isBad ? 400 : 422;
}
