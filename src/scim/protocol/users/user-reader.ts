import { isSameName } from '../schema/attribute-path';
import type { UserDocument } from '../schema/user-document';
import { requireUserName } from '../schema/user-name';
import { USER_TYPE } from '../schema/user-schema';
import { USER_URN } from '../urns';
import { ScimError } from '../scim-error';
import { isObject } from '../../../http/requests/json-object';
import { requireSchemas } from '../values/schemas-check';
import { UserDraft } from '../values/user-draft';

/**
 * Parses a user (RFC 7644, sections 3.3 and 3.5.1). `null`, an empty list and an empty string mean no value. Read-only
 * attributes (`id`, `meta`, `groups`) are ignored, as the RFC requires, and so is a `password`.
 *
 * @param body of a POST or PUT to `/Users`
 * @param ignored collects the paths of unknown attributes, and unknown schemas
 * @param before the user that a PUT replaces: an inactive one stays inactive unless the body says otherwise, since
 *   omitting `active` must not restore access. Other omitted attributes are removed.
 * @throws ScimError `invalidSyntax`, `invalidValue`; `invalidPath`, `invalidFilter`, `noTarget` for names that are
 *   paths
 */
export function readUser(
  body: unknown,
  ignored: Set<string>,
  before: Pick<UserDocument, 'active'> & Partial<UserDocument> = { active: true },
): UserDocument {
  if (!isObject(body)) throw new ScimError('invalidSyntax', 'A user must be an object.');
  const schemas = Object.entries(body).find(([name]) => isSameName(name, 'schemas'));
  requireSchemas(
    schemas?.[1],
    USER_URN,
    USER_TYPE.extensions.map(({ id }) => id),
    ignored,
  );
  const draft = new UserDraft(undefined, ignored);
  draft.setAll('replace', body);
  const document = draft.toDocument(before.active);
  requireUserName(document.userName, before.userName);
  return document;
}
