import { LIMITS } from '../limits';
import { ScimError } from '../scim-error';

export const BULK_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const BULK_RESPONSE_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

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
  const fields = fieldsOf(body, ['schemas', 'failOnErrors', 'Operations'], ignored);
  if (!fields) throw new ScimError('invalidSyntax', 'The body of a bulk request must be a JSON object.');
  const { schemas, failOnErrors, Operations: operations } = fields;
  if (!Array.isArray(schemas) || !schemas.includes(BULK_REQUEST_URN)) {
    throw new ScimError('invalidSyntax', `"schemas" of a bulk request must be ["${BULK_REQUEST_URN}"].`);
  }
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

function readOperation(operation: unknown, ignored: Set<string>): BulkOperation {
  const fields = fieldsOf(operation, ['method', 'bulkId', 'version', 'path', 'data'], ignored) ?? {};
  const { method, bulkId, version, path, data } = fields;
  return {
    method: typeof method === 'string' ? method.toUpperCase() : method,
    bulkId: bulkId ?? undefined,
    version: version ?? undefined,
    path,
    data,
  };
}

/** @returns the named fields; undefined if the value is not an object */
function fieldsOf<Name extends string>(
  json: unknown,
  names: readonly Name[],
  ignored: Set<string>,
): Partial<Record<Name, unknown>> | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const fields: Partial<Record<Name, unknown>> = {};
  for (const [key, value] of Object.entries(json)) {
    const name = names.find((candidate) => candidate.toLowerCase() === key.toLowerCase());
    if (name === undefined) ignored.add(key);
    else fields[name] = value as unknown;
  }
  return fields;
}
