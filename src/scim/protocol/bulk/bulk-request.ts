import { LIMITS } from '../limits';
import { isObject, readFields } from '../resources/json-object';
import { requireMessageSchema } from '../resources/schemas-check';
import { ScimError } from '../scim-error';

export const BULK_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const BULK_RESPONSE_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

export const BULK_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type BulkMethod = (typeof BULK_METHODS)[number];

/** One operation of a bulk request, as it was sent: what is wrong with it is said in its place of the answer. */
export interface BulkOperation {
  /** In upper case, if it is a text. */
  method: unknown;
  bulkId: unknown;
  version: unknown;
  path: unknown;
  data: unknown;
}

/** RFC 7644, section 3.7. */
export interface BulkRequest {
  /** After how many failures the rest is left; Infinity: never. */
  failOnErrors: number;
  operations: BulkOperation[];
}

/**
 * Reads a bulk request. Like all SCIM attributes, its names may be in any case.
 *
 * @param ignored takes the names of what a bulk request does not have
 * @throws ScimError invalidSyntax or invalidValue for what is wrong with the request as a whole; payloadTooLarge for too
 *   many operations (section 3.7.4)
 */
export function readBulk(body: unknown, ignored: Set<string>): BulkRequest {
  if (!isObject(body)) throw new ScimError('invalidSyntax', 'The body of a bulk request must be a JSON object.');
  const fields = readFields(body, ['schemas', 'failOnErrors', 'Operations'], '', ignored);
  const { schemas, failOnErrors, Operations: operations } = fields;
  requireMessageSchema(schemas, BULK_REQUEST_URN, 'a bulk request');
  if (!Array.isArray(operations)) throw new ScimError('invalidSyntax', '"Operations" must be a list of operations.');
  if (operations.length > LIMITS.bulkOperations) {
    const most = `maxOperations (${LIMITS.bulkOperations})`;
    throw new ScimError('payloadTooLarge', `The bulk request has ${operations.length} operations, more than ${most}.`);
  }
  return {
    failOnErrors: readLimit(failOnErrors),
    operations: operations.map((operation) => readOperation(operation, ignored)),
  };
}

function readLimit(given: unknown): number {
  // Some clients write 0 for "never"; the RFC has no number that means it.
  if (given === undefined || given === null || given === 0) return Infinity;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1) return given;
  throw new ScimError('invalidValue', '"failOnErrors" must be an integer of at least 0; 0 means never.');
}

function readOperation(given: unknown, ignored: Set<string>): BulkOperation {
  const operation = isObject(given) ? given : {};
  const fields = readFields(operation, ['method', 'bulkId', 'version', 'path', 'data'], '', ignored);
  const { method, bulkId, version, path, data } = fields;
  return {
    method: typeof method === 'string' ? method.toUpperCase() : method,
    bulkId: bulkId ?? undefined,
    version: version ?? undefined,
    path,
    data,
  };
}
