import { isSameName } from '../schema/attribute-path';
import type { GroupDocument } from '../schema/group-document';
import { GROUP_URN } from '../urns';
import { ScimError } from '../scim-error';
import { groupParts, readDisplayName, readExternalId } from '../values/group-body';
import { isObject } from '../../../http/requests/json-object';
import { readMemberIds } from '../values/member-ids';
import { requireSchemas } from '../values/schemas-check';

/**
 * Parses a group (RFC 7644, sections 3.3 and 3.5.1). `id` and `meta` are ignored, since they are read-only. `null`
 * equals an absent attribute.
 *
 * @param body of a POST or PUT to `/Groups`
 * @param ignored collects unknown attributes and schemas: Entra ID sends a schema of its own with every group
 * @throws ScimError `invalidSyntax`, `invalidValue`; `invalidPath`, `invalidFilter`, `mutability` for names that are
 *   paths
 */
export function readGroup(body: unknown, ignored: Set<string>): GroupDocument {
  if (!isObject(body)) throw new ScimError('invalidSyntax', 'A group must be an object.');
  const schemas = Object.entries(body).find(([name]) => isSameName(name, 'schemas'));
  requireSchemas(schemas?.[1], GROUP_URN, [], ignored);
  let displayName: string | undefined;
  let externalId: string | null = null;
  let members: string[] | undefined;
  for (const part of groupParts(body, ignored)) {
    if (part.json === null) continue;
    if (part.target.where === 'displayName') displayName = readDisplayName(part);
    else if (part.target.where === 'externalId') externalId = readExternalId(part);
    else members = readMemberIds(part.json, ignored);
  }
  if (displayName === undefined) throw new ScimError('invalidValue', 'displayName is required.');
  return { displayName, externalId, members };
}
