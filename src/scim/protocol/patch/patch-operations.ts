import { LIMITS } from '../limits';
import { isObject, readFields, shorten } from '../resources/json-object';
import { checkSchemas } from '../resources/schemas-check';
import { ScimError } from '../scim-error';

const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** An operation of a PATCH (RFC 7644, section 3.5.2). */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  /** Undefined: the resource itself. */
  path: string | undefined;
  /** Undefined: none was sent. */
  value: unknown;
}

/**
 * Reads the operations of a PATCH, as far as they are the same for users and groups. Names and `op` may be in any case,
 * as Entra ID has them; an empty path is none.
 *
 * @param ignored takes the names of what an operation does not have
 * @throws ScimError `invalidSyntax` for what is no PATCH, `tooMany` operations, `noTarget` for a removal of nothing by
 *   name, `invalidValue` without the value that the operation needs
 */
export function readOperations(body: unknown, ignored: Set<string>): PatchOperation[] {
  if (!isObject(body)) throw new ScimError('invalidSyntax', 'A PATCH must be an object.');
  const { schemas, Operations: operations } = readFields(body, ['schemas', 'Operations'], '', ignored);
  checkSchemas(schemas, PATCH_URN, [], ignored);
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError('invalidSyntax', 'Operations must be a list of at least one operation.');
  }
  if (operations.length > LIMITS.patchOperations) {
    throw new ScimError('tooMany', `There are more than ${LIMITS.patchOperations} operations.`);
  }
  let filterLength = 0;
  return operations.map((operation, place) =>
    inOperation(place, () => {
      const read = readOperation(operation, ignored);
      if (read.path?.includes('[')) filterLength += read.path.length;
      if (filterLength > LIMITS.patchFilterLength) {
        throw new ScimError(
          'tooMany',
          `The filters in the paths are longer than ${LIMITS.patchFilterLength} characters together. Send several requests.`,
        );
      }
      return read;
    }),
  );
}

/** Lets a failure say which operation it is about. @throws what `work` throws, with the place in a ScimError */
export function inOperation<T>(place: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    throw new ScimError(error.failure, `Operations[${place}]: ${error.detail}`);
  }
}

function readOperation(operation: unknown, ignored: Set<string>): PatchOperation {
  if (!isObject(operation)) throw new ScimError('invalidSyntax', 'An operation must be an object.');
  const fields = readFields(operation, ['op', 'path', 'value'], 'Operations', ignored);
  const op = readOp(fields.op);
  const path = readPath(fields.path);
  const { value } = fields;
  if (op === 'remove' && path === undefined) throw new ScimError('noTarget', 'remove needs a path.');
  if (op !== 'remove' && value === undefined) throw new ScimError('invalidValue', `${op} needs a value.`);
  return { op, path, value };
}

function readOp(op: unknown): PatchOperation['op'] {
  const lower = typeof op === 'string' ? op.toLowerCase() : undefined;
  if (lower === 'add' || lower === 'replace' || lower === 'remove') return lower;
  const given = typeof op === 'string' ? `, not "${shorten(op)}"` : '';
  throw new ScimError('invalidSyntax', `op must be add, replace or remove${given}.`);
}

function readPath(path: unknown): string | undefined {
  if (path === undefined || path === null || path === '') return undefined;
  if (typeof path !== 'string') throw new ScimError('invalidPath', 'path must be a string.');
  return path;
}
