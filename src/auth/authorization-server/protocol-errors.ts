import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment';
import { DomainError, ValidationError } from '../../errors/errors';
import { challengeOf } from '../../http/answers/challenge';
import type { ErrorDialect } from '../../http/answers/error-dialect';
import { httpStatus } from '../../http/answers/error-status';

const ENDPOINTS = /^\/oauth2\/(authorize|par|token|revoke|introspect|register|device_authorization|userinfo|logout)$/;

/** What the RFCs call what is not our own code. */
const CODES: Partial<Record<number, string>> = {
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/**
 * The errors of the protocol's endpoints that the library does not answer itself: `{"error", "error_description"}` (RFC
 * 6749, section 5.2), with our code where no RFC has one.
 */
@Injectable()
export class ProtocolErrors implements ErrorDialect {
  private readonly metadataUrl: string;

  constructor({ publicUrl }: Environment) {
    this.metadataUrl = `${publicUrl}/.well-known/oauth-protected-resource`;
  }

  covers(path: string): boolean {
    return ENDPOINTS.test(path);
  }

  owns(_error: unknown): _error is never {
    return false;
  }

  answer(error: DomainError | ValidationError, _request: Request, response: Response): void {
    const isInvalid = error instanceof ValidationError;
    const status = isInvalid ? 400 : httpStatus(error);
    const challenge = challengeOf('toolyard', error, this.metadataUrl);
    if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
    const code = CODES[status] ?? (isInvalid ? 'invalid_request' : error.code);
    response.status(status).set('Cache-Control', 'no-store').json({ error: code, error_description: error.message });
  }
}
