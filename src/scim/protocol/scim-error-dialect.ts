import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ErrorDialect } from '../../http/answers/error-dialect';
import { AuthenticationError, DomainError, ErrorCode, ValidationError } from '../../errors/errors';
import { ScimAnswers } from './scim-answers';
import { ScimError } from './scim-error';
import { scimPath } from './scim-address';
import { errorBody, toErrorResponse } from './error-response';

/** The errors of RFC 7644, section 3.12, for everything below the base URL of a SCIM service. */
@Injectable()
export class ScimErrorDialect implements ErrorDialect {
  constructor(private readonly answers: ScimAnswers) {}

  covers(path: string): boolean {
    return scimPath(path) !== undefined;
  }

  owns(error: unknown): error is ScimError {
    return error instanceof ScimError;
  }

  /** @throws what the database throws if the provisioning log cannot be written */
  async answer(error: ScimError | DomainError | ValidationError, _request: Request, response: Response): Promise<void> {
    const failure = toErrorResponse(error);
    if (error instanceof AuthenticationError) response.setHeader('WWW-Authenticate', challenge(error));
    const { status, scimType, detail } = failure;
    await this.answers.send(response, { status, body: errorBody(failure), scimType, error: detail });
  }
}

/** RFC 6750, section 3. It names no authorization server: SCIM tokens do not come from one. */
function challenge(error: AuthenticationError): string {
  if (error.code !== ErrorCode.InvalidToken.code) return 'Bearer realm="toolyard scim"';
  const description = error.message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ');
  return `Bearer realm="toolyard scim", error="invalid_token", error_description="${description}"`;
}
