import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ErrorDialect } from '../../http/answers/error-dialect';
import { AuthenticationError, DomainError, ErrorCode, RateLimitedError, ValidationError } from '../../errors/errors';
import { ScimAnswers } from './scim-answers';
import { ScimError } from './scim-error';
import { scimPath } from './scim-address';
import { ScimGate } from './scim-gate';
import { errorBody, toErrorResponse } from './error-response';

const UNAVAILABLE = 503;

/** The errors of RFC 7644, section 3.12, for everything below the base URL of a SCIM service. */
@Injectable()
export class ScimErrorDialect implements ErrorDialect {
  constructor(
    private readonly gate: ScimGate,
    private readonly answers: ScimAnswers,
  ) {}

  covers(path: string): boolean {
    return scimPath(path) !== undefined;
  }

  owns(error: unknown): error is ScimError {
    return error instanceof ScimError;
  }

  /**
   * Confirms the token first, so that a client with a revoked token gets that error and no other.
   *
   * @throws what the database throws if the token cannot be confirmed, or the provisioning log cannot be written
   */
  async answer(error: ScimError | DomainError | ValidationError, request: Request, response: Response): Promise<void> {
    // Refused before its token was confirmed: it costs no statement and has no row in the log, however many there are.
    if (error instanceof RateLimitedError) request.scim = undefined;
    const told = (await this.refusal(request)) ?? error;
    const failure = toErrorResponse(told);
    const headers: Record<string, string> = {};
    if (told instanceof AuthenticationError) {
      headers['WWW-Authenticate'] = challenge(told);
      // The error that it replaces may have set these.
      for (const name of ['Allow', 'Retry-After']) response.removeHeader(name);
    }
    const { status, scimType, detail } = failure;
    const answer = { status, body: errorBody(failure), headers, scimType, error: detail };
    try {
      await this.answers.send(response, answer);
    } catch (unlogged) {
      // If neither the token nor the log can be reached, "try again later" is sent without its row.
      if (status !== UNAVAILABLE || response.locals.hasFailed !== true) throw unlogged;
      await this.answers.send(response, answer);
    }
  }

  private async refusal(request: Request): Promise<AuthenticationError | undefined> {
    try {
      await this.gate.confirm(request);
      return undefined;
    } catch (error) {
      if (error instanceof AuthenticationError) return error;
      throw error;
    }
  }
}

/** RFC 6750, section 3. It names no authorization server: SCIM tokens do not come from one. */
function challenge(error: AuthenticationError): string {
  if (error.code !== ErrorCode.InvalidToken.code) return 'Bearer realm="toolyard scim"';
  const description = error.message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ');
  return `Bearer realm="toolyard scim", error="invalid_token", error_description="${description}"`;
}
