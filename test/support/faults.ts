import type { Error as ErrorBody, ErrorCode, ValidationErrors } from './api-types';

/** For answers of which only the test knows that they are errors. */
export function codeOf({ body }: { body: unknown }): ErrorCode {
  return errorIn(body).code;
}

export function detailOf({ body }: { body: unknown }): string {
  return errorIn(body).detail;
}

/** @returns what a 422 refuses, as `body.name missing`, in the order of the answer */
export function faultsOf({ body }: { body: ValidationErrors }): string[] {
  return body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

function errorIn(body: unknown): ErrorBody {
  if (!isError(body)) throw new Error(`This is no error: ${JSON.stringify(body)}`);
  return body;
}

function isError(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}
