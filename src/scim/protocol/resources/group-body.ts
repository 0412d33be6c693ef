import { GROUP_TYPE } from '../schema/group-schema';
import { ScimError } from '../scim-error';
import { readSingle } from './attribute-value';
import { entriesOf, isObject, noteIgnored } from './json-object';
import { type AttributeTarget, findNamed, type Target } from './target';

/** An attribute of a group that a client writes, with what it sent for it. */
export interface GroupPart {
  target: AttributeTarget;
  json: unknown;
}

/**
 * What an object says of a group: a whole group, or the value of a PATCH operation without a path. Names may have the
 * URN of the schema before them or stand in an object of it. What a client cannot write is passed over, as the `id`
 * that Okta sends with a new name; what is in no schema is noted.
 *
 * @returns each attribute once
 * @throws ScimError `invalidSyntax` for what is there twice, `invalidValue`, `invalidPath`, `invalidFilter`,
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

/** @throws ScimError `mutability` for a part of a member: members are added and removed, never changed */
export function requireWhole(target: Exclude<Target, { kind: 'schema' | 'unwritable' }>): AttributeTarget {
  if (target.kind === 'attribute' && !target.sub) return target;
  throw new ScimError('mutability', 'A member is added or removed, never changed.');
}

/** @throws ScimError `invalidValue` without a name to show */
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

/** A name inside cannot be that of a schema again, so this goes no deeper than once. */
function insideOf(urn: string, json: unknown): [string, unknown][] {
  if (json === null) return [];
  if (!isObject(json)) throw new ScimError('invalidValue', `"${urn}" must be an object.`);
  return entriesOf(json, urn).map(([name, value]) => [`${urn}:${name}`, value]);
}
