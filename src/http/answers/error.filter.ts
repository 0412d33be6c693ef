import { ArgumentsHost, Catch, ExceptionFilter, Logger, NotFoundException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { DatabaseErrors } from '../../database/database-errors';
import { isObject } from '../requests/json-object';
import { challengeOf } from './challenge';
import type { ErrorDialect } from './error-dialect';
import { httpStatus } from './error-status';
import { setRetryAfter } from './rate-limit-fields';
import {
  AuthenticationError,
  DomainError,
  ErrorCode,
  RateLimitedError,
  UnavailableError,
  ValidationError,
} from '../../errors/errors';

/**
 * Turns everything that was thrown into one of the two error bodies of the specification, or lets a dialect write it
 * below that dialect's paths. The only place that knows both errors and statuses.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  /**
   * @param resourceMetadataUrl the address of the RFC 9728 document, sent in `WWW-Authenticate`
   * @param dialects the paths with a different error format
   * @param databaseErrors tells errors a caller can cause from our own defects
   * @param onUnauthenticated is called for each request whose caller could not be authenticated
   */
  constructor(
    private readonly resourceMetadataUrl: string,
    private readonly dialects: readonly ErrorDialect[],
    private readonly databaseErrors: DatabaseErrors,
    private readonly onUnauthenticated: (request: Request) => void = () => undefined,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.answer(thrown, host.switchToHttp().getRequest(), host.switchToHttp().getResponse());
  }

  /** The same for failures outside of Nest's routes. */
  answer(thrown: unknown, request: Request, response: Response): void {
    if (response.headersSent) {
      // A partial response must not look complete.
      this.logger.error(thrown, `Failed after the response had begun (request ${request.id})`);
      response.destroy();
      return;
    }
    const dialect = this.dialects.find((one) => one.covers(pathOf(request)));
    const error = dialect?.owns(thrown) ? thrown : this.classify(thrown, request);
    if (error instanceof RateLimitedError) setRetryAfter(response, error.policy, error.retryAfter);
    if (error instanceof AuthenticationError) this.onUnauthenticated(request);
    if (error instanceof UnavailableError) {
      response.setHeader('Retry-After', String(error.retryAfter));
      this.logger.warn(`${error.message} (request ${request.id}): ${reason(error.cause)}`);
    }
    // For the line of the log.
    response.locals.errorCode = codeOf(error);
    if (!dialect) this.write(error as DomainError | ValidationError, response);
    else void this.speak(dialect, error, request, response);
  }

  /** A dialect that failed to report one error may still be able to report an internal error. */
  private async speak(dialect: ErrorDialect, error: Error, request: Request, response: Response): Promise<void> {
    try {
      await dialect.answer(error, request, response);
    } catch (failure) {
      if (response.locals.hasFailed === true) {
        this.logger.error(failure, `The error could not be reported (request ${request.id})`);
        response.destroy();
        return;
      }
      response.locals.hasFailed = true;
      this.answer(failure, request, response);
    }
  }

  private write(error: DomainError | ValidationError, response: Response): void {
    if (error instanceof ValidationError) return send(response, 422, { detail: error.faults });
    const challenge = challengeOf('toolyard', error, this.resourceMetadataUrl);
    if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
    send(response, httpStatus(error), { detail: error.message, code: error.code });
  }

  private classify(thrown: unknown, request: Request): DomainError | ValidationError {
    if (thrown instanceof DomainError || thrown instanceof ValidationError) return thrown;
    if (thrown instanceof NotFoundException) {
      return new DomainError(ErrorCode.NotFound, `${pathOf(request)} does not exist; see /docs.`);
    }
    if (thrown instanceof URIError || (isObject(thrown) && thrown.cause instanceof URIError)) {
      return new ValidationError([
        { loc: ['path'], msg: 'The path has a percent-encoding that cannot be decoded.', type: 'value_error' },
      ]);
    }
    const translated = this.databaseErrors.translate(thrown);
    if (translated) return translated;
    this.logger.error(thrown, `Unexpected failure (request ${request.id})`);
    return new DomainError(ErrorCode.InternalError, `Something went wrong on our side. Quote request ${request.id}.`);
  }
}

/** What Express does for JSON, but it parses and writes the type each time: a tenth of what refusing a request costs. */
function send(response: Response, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** The whole path, also in Nest's own last handler, whose router is mounted at the prefix. */
function pathOf(request: Request): string {
  return request.baseUrl + request.path;
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message || cause.name : 'no further cause';
}

/** A ValidationError has no code: its faults say what is wrong. */
function codeOf(error: Error): string {
  if (error instanceof DomainError) return error.code;
  return error instanceof ValidationError ? 'validation_failed' : error.name;
}
