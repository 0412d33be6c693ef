import { httpStatus } from '../../http/answers/error-status';
import { DomainError, Fault, ValidationError } from '../../errors/errors';
import { SCIM_FAILURES, ScimError, ScimFailure } from './scim-error';

export const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A failure in the form of the protocol (RFC 7644, section 3.12). */
export interface ReportedFailure {
  status: number;
  scimType?: string;
  detail: string;
}

/** Our failures for which the RFCs have a `scimType`. */
const SCIM_TYPES: ReadonlySet<ScimFailure> = new Set<ScimFailure>([
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
  'invalidCursor',
  'expiredCursor',
  'invalidCount',
]);

/** @param error classified by the error filter, or a ScimError */
export function toFailure(error: ScimError | DomainError | ValidationError): ReportedFailure {
  if (error instanceof ScimError) {
    const scimType = SCIM_TYPES.has(error.failure) ? error.failure : undefined;
    return { status: SCIM_FAILURES[error.failure], scimType, detail: error.detail };
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
export function errorBody({ status, scimType, detail }: ReportedFailure): object {
  return { schemas: [ERROR_URN], status: String(status), ...(scimType === undefined ? {} : { scimType }), detail };
}

const MOST_IN_WORDS = 10;

/** Only some: the person who reads them fixes one after the other. */
function inWords(faults: Fault[]): string {
  const words = faults.slice(0, MOST_IN_WORDS).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  const more = faults.length - words.length;
  return words.join(' ') + (more > 0 ? ` And ${more} more.` : '');
}
