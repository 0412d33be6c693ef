import { LIMITS } from '../limits';
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
  const fields = fieldsOf(body, ['schemas', 'failOnErrors', 'Operations'], ignored);
  if (!fields) throw new ScimError('invalidSyntax', 'The body of a bulk request must be a JSON object.');
  const { schemas, failOnErrors, Operations: operations } = fields;
  if (!Array.isArray(schemas) || !schemas.includes(BULK_REQUEST_URN)) {
    throw new ScimError('invalidSyntax', `"schemas" of a bulk request is ["${BULK_REQUEST_URN}"].`);
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

function readLimit(given: unknown): number {
  // Some clients write 0 for "never"; the RFC has no number that means it.
  if (given === undefined || given === null || given === 0) return Infinity;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1) return given;
  throw new ScimError('invalidValue', '"failOnErrors" must be an integer of at least 0; 0 means never.');
}

function readOperation(given: unknown, ignored: Set<string>): BulkOperation {
  const fields = fieldsOf(given, ['method', 'bulkId', 'version', 'path', 'data'], ignored) ?? {};
  const { method, bulkId, version, path, data } = fields;
  return {
    method: typeof method === 'string' ? method.toUpperCase() : method,
    bulkId: bulkId ?? undefined,
    version: version ?? undefined,
    path,
    data,
  };
}

/** @returns the fields under the names that are given; undefined for what is no object */
function fieldsOf<Name extends string>(
  given: unknown,
  names: readonly Name[],
  ignored: Set<string>,
): Partial<Record<Name, unknown>> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const fields: Partial<Record<Name, unknown>> = {};
  for (const [key, value] of Object.entries(given)) {
    const name = names.find((candidate) => candidate.toLowerCase() === key.toLowerCase());
    if (name === undefined) ignored.add(key);
    else fields[name] = value as unknown;
  }
  return fields;
}
