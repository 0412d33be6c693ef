import { httpStatus } from '../../http/answers/error-status';
import { DomainError, Fault, ValidationError } from '../../errors/errors';
import { ScimError } from './scim-error';
import { ERROR_URN } from './urns';

/** An error as the protocol reports it (RFC 7644, section 3.12). */
export interface ErrorResponse {
  status: number;
  scimType?: string;
  detail: string;
}

/** @param error classified by the error filter, or a ScimError */
export function toErrorResponse(error: ScimError | DomainError | ValidationError): ErrorResponse {
  if (error instanceof ScimError) {
    const { status, scimType, detail } = error;
    return { status, scimType, detail };
  }
  if (error instanceof ValidationError) {
    // An unreadable body is a syntax error; everything else is an invalid value.
    const isSyntax = error.faults.some(
      ({ type, loc }) => type === 'json_invalid' || (loc.length === 1 && loc[0] === 'body'),
    );
    return { status: 400, scimType: isSyntax ? 'invalidSyntax' : 'invalidValue', detail: inWords(error.faults) };
  }
  return { status: httpStatus(error), detail: error.message };
}

/** @returns the body of RFC 7644, section 3.12 */
export function errorBody({ status, scimType, detail }: ErrorResponse): object {
  return { schemas: [ERROR_URN], status: String(status), ...(scimType === undefined ? {} : { scimType }), detail };
}

const MAX_IN_WORDS = 10;

/** Only some: the person who reads them fixes one after the other. */
function inWords(faults: Fault[]): string {
  const words = faults.slice(0, MAX_IN_WORDS).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  const more = faults.length - words.length;
  return words.join(' ') + (more > 0 ? ` And ${more} more.` : '');
}
