import { LIMITS } from '../limits';
import { isObject } from '../../../http/requests/json-object';
import { readFields } from '../values/json-object';
import { requireMessageSchema } from '../values/schemas-check';
import { ScimError } from '../scim-error';
import { BULK_REQUEST_URN } from '../urns';

export const BULK_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type BulkMethod = (typeof BULK_METHODS)[number];

/** One operation of a bulk request, as sent: its errors are reported in its own part of the response. */
export interface BulkOperation {
  /** In upper case, if it is a string. */
  method: unknown;
  bulkId: unknown;
  version: unknown;
  path: unknown;
  data: unknown;
}

/** RFC 7644, section 3.7. */
export interface BulkRequest {
  /** After how many failures to stop; Infinity: never. */
  failOnErrors: number;
  operations: BulkOperation[];
}

/**
 * Parses a bulk request. As for all SCIM attributes, names are case-insensitive.
 *
 * @param ignored collects unknown names
 * @throws ScimError invalidSyntax or invalidValue for errors in the request as a whole; payloadTooLarge for too many
 *   operations (section 3.7.4)
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

function readLimit(value: unknown): number {
  // Some clients send 0 for "never"; the RFC has no value for that.
  if (value === undefined || value === null || value === 0) return Infinity;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
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
