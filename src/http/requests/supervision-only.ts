import type { RequestHandler } from 'express';
import { httpStatus } from '../answers/error-status';
import { ErrorCode } from '../../errors/errors';

/** A process without `api` in RUN only answers its supervisor. */
export function supervisionOnly(): RequestHandler {
  return (request, response, next) => {
    if (request.path === '/healthz' || request.path === '/readyz') return next();
    const code = ErrorCode.NotFound;
    response
      .status(httpStatus(code))
      .json({ detail: 'This process does not serve the API; see RUN.', code: code.code });
  };
}
