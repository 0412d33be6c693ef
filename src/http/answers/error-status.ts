import type { ErrorCode, ErrorKind } from '../../errors/errors';
import { HTTP_ERRORS } from '../http.errors';

/** The status of each kind of error (contract, sections 1 and 2). A new kind without a status does not compile. */
const STATUS: Record<Exclude<ErrorKind, 'protocol'>, number> = {
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  rateLimited: 429,
  internal: 500,
  notImplemented: 501,
  unavailable: 503,
};

const PROTOCOL_STATUS: Record<keyof typeof HTTP_ERRORS, number> = {
  BadRequest: 400,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  HeadersTooLarge: 431,
};

const BY_CODE = new Map(
  Object.entries(PROTOCOL_STATUS).map(([name, status]) => [HTTP_ERRORS[name as keyof typeof HTTP_ERRORS].code, status]),
);

/** @param error or its code */
export function httpStatus({ code, kind }: Pick<ErrorCode, 'code' | 'kind'>): number {
  return kind === 'protocol' ? (BY_CODE.get(code) ?? 400) : STATUS[kind];
}
