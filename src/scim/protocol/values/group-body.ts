import { GROUP_TYPE } from '../schema/group-schema';
import { ScimError } from '../scim-error';
import { readSingle } from './attribute-value';
import { isObject } from '../../../http/requests/json-object';
import { entriesOf, noteIgnored } from './json-object';
import { type AttributeTarget, findNamed, type Target } from './target';

/** An attribute of a group that clients write, with the value sent. */
export interface GroupPart {
  target: AttributeTarget;
  json: unknown;
}

/**
 * The attributes in an object: a whole group, or the value of a PATCH operation without a path. Names may be prefixed
 * with the URN of the schema, or be in an object under it. Read-only attributes are ignored, such as the `id` that Okta
 * sends with a new name; unknown ones are recorded in `ignored`.
 *
 * @returns each attribute once
 * @throws ScimError `invalidSyntax` for a duplicate attribute, `invalidValue`, `invalidPath`, `invalidFilter`,
 *   `mutability`
 */
export function groupParts(object: Record<string, unknown>, ignored: Set<string>): GroupPart[] {
  const parts = new Map<string, GroupPart>();
  const collect = (entries: [string, unknown][]): void => {
    for (const [name, json] of entries) {
      const target = findNamed(GROUP_TYPE, name);
      if (!target) noteIgnored(ignored, name);
      else if (target.kind === 'schema') collect(insideOf(target.schema.id, json));
      else if (target.kind !== 'unwritable') {
        const whole = requireWhole(target);
        if (parts.has(whole.where)) throw new ScimError('invalidSyntax', `"${whole.where}" appears twice.`);
        parts.set(whole.where, { target: whole, json });
      }
    }
  };
  collect(entriesOf(object, ''));
  return [...parts.values()];
}

/** @throws ScimError `mutability` for a part of a member: members can be added and removed, but not changed */
export function requireWhole(target: Exclude<Target, { kind: 'schema' | 'unwritable' }>): AttributeTarget {
  if (target.kind === 'attribute' && !target.sub) return target;
  throw new ScimError('mutability', 'Members can be added and removed, but not changed.');
}

/** @throws ScimError `invalidValue` if the name is missing or empty */
export function readDisplayName({ target, json }: GroupPart): string {
  const name = readSingle(target.attribute, json, target.where);
  if (typeof name !== 'string' || name.trim() === '') {
    throw new ScimError('invalidValue', 'displayName is required and must not be empty.');
  }
  return name;
}

/** @returns null: none. @throws ScimError `invalidValue` */
export function readExternalId({ target, json }: GroupPart): string | null {
  const id = readSingle(target.attribute, json, target.where);
  return typeof id === 'string' ? id : null;
}

/** A name inside cannot be a schema's again, so the recursion is at most one level deep. */
function insideOf(urn: string, json: unknown): [string, unknown][] {
  if (json === null) return [];
  if (!isObject(json)) throw new ScimError('invalidValue', `"${urn}" must be an object.`);
  return entriesOf(json, urn).map(([name, value]) => [`${urn}:${name}`, value]);
}
