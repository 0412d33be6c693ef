import { LIMITS } from '../limits';
import { isObject } from '../../../http/requests/json-object';
import { readFields, shorten } from '../values/json-object';
import { checkSchemas } from '../values/schemas-check';
import { ScimError } from '../scim-error';
import { PATCH_URN } from '../urns';

/** An operation of a PATCH (RFC 7644, section 3.5.2). */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  /** Undefined: the resource itself. */
  path: string | undefined;
  /** Undefined if absent. */
  value: unknown;
}

/**
 * Parses the operations of a PATCH, as far as users and groups have them in common. Names and `op` are
 * case-insensitive, as Entra ID needs; an empty path counts as absent.
 *
 * @param ignored collects unknown names
 * @throws ScimError `invalidSyntax` for anything but a PATCH, `tooMany` operations, `noTarget` for a removal without a
 *   path, `invalidValue` if a required value is missing
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
  return operations.map((operation, index) =>
    inOperation(index, () => {
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

/** Adds the index of the operation to a ScimError. @throws what `work` throws, with the index in a ScimError */
export function inOperation<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    throw new ScimError(error.failure, `Operations[${index}]: ${error.detail}`);
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
  const actual = typeof op === 'string' ? `, not "${shorten(op)}"` : '';
  throw new ScimError('invalidSyntax', `op must be add, replace or remove${actual}.`);
}

function readPath(path: unknown): string | undefined {
  if (path === undefined || path === null || path === '') return undefined;
  if (typeof path !== 'string') throw new ScimError('invalidPath', 'path must be a string.');
  return path;
}
