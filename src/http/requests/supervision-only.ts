import type { RequestHandler } from 'express';
import { httpStatus } from '../answers/error-status';
import { ErrorCode } from '../../errors/errors';
import { PROBES } from './probes';

/** A process without `api` in RUN only answers its supervisor. */
export function supervisionOnly(): RequestHandler {
  return (request, response, next) => {
    if (PROBES.has(request.path)) return next();
    const code = ErrorCode.NotFound;
    response
      .status(httpStatus(code))
      .json({ detail: 'This process does not serve the API; see RUN.', code: code.code });
  };
}
