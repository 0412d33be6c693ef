import { isObject } from '../../../http/requests/json-object';
import { shorten } from '../values/json-object';
import { findTarget } from '../values/target';
import { UserDraft } from '../values/user-draft';
import type { UserDocument } from '../schema/user-document';
import { requireUserName } from '../schema/user-name';
import { USER_TYPE } from '../schema/user-schema';
import { ScimError } from '../scim-error';
import { inOperation, type PatchOperation, readOperations } from './patch-operations';

/**
 * Applies the operations of a PATCH to a user, in order (RFC 7644, section 3.5.2): all of them, or none if one is
 * invalid.
 *
 * @param document is not modified
 * @param body of a PATCH of `/Users/{id}`
 * @param ignored collects the paths of attributes that are not in any schema, where RFC and clients tolerate them: in a
 *   value without a path
 * @returns a new document
 * @throws ScimError `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `noTarget`, `mutability`,
 *   `tooMany`
 */
export function patchUser(document: UserDocument, body: unknown, ignored: Set<string>): UserDocument {
  const draft = new UserDraft(document, ignored);
  readOperations(body, ignored).forEach((operation, index) => inOperation(index, () => carryOut(draft, operation)));
  const patched = draft.toDocument();
  requireUserName(patched.userName, document.userName);
  return patched;
}

function carryOut(draft: UserDraft, { op, path, value }: PatchOperation): void {
  if (path === undefined) {
    if (!isObject(value)) throw new ScimError('invalidValue', 'Without a path, the value must be an object.');
    // readOperations rejects removals without a path.
    return op === 'remove' ? undefined : draft.setAll(op, value);
  }
  const target = findTarget(USER_TYPE, path);
  if (!target) throw new ScimError('invalidPath', `No attribute has the path "${shorten(path)}".`);
  if (op === 'remove') draft.remove(target, value);
  else draft.set(op, target, value);
}
