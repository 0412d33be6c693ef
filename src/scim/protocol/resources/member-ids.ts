import { ScimError } from '../scim-error';
import { isObject, readFields } from './json-object';

const LONGEST_ID = 512;
/** What a member may say; only its id counts. `display` is ours to say, and Entra ID sends `$ref` as null. */
const NAMES = ['value', '$ref', 'display', 'type'] as const;

/**
 * Reads members of a group (RFC 7643, section 4.2): `[{"value": "id"}]`, and as some clients have it `["id"]` or one of
 * them without the list. Whether there are such users is not known here.
 *
 * @param json `null` and an empty list are no members
 * @param ignored takes the paths of what is no part of a member
 * @returns the ids as they were sent, each once
 * @throws ScimError `invalidValue` for what names no user, a group inside the group included; `invalidSyntax` for a name
 *   that is there twice
 */
export function readMemberIds(json: unknown, ignored: Set<string>): string[] {
  if (json === null) return [];
  const list: unknown[] = Array.isArray(json) ? json : [json];
  return [...new Set(list.map((member) => readMemberId(member, ignored)))];
}

/** @throws ScimError `invalidValue` */
export function requireMemberId(id: unknown): string {
  if (typeof id !== 'string' || id === '') {
    throw new ScimError('invalidValue', 'members.value must be the id of a user.');
  }
  if (id.length > LONGEST_ID) {
    throw new ScimError('invalidValue', `members.value is longer than ${LONGEST_ID} characters.`);
  }
  return id;
}

function readMemberId(member: unknown, ignored: Set<string>): string {
  if (!isObject(member)) return requireMemberId(member);
  const { value, type, $ref: address } = readFields(member, NAMES, 'members', ignored);
  const isGroup =
    (typeof type === 'string' && type.toLowerCase() === 'group') ||
    (typeof address === 'string' && /\/Groups\/[^/]*$/i.test(address));
  if (isGroup) throw new ScimError('invalidValue', 'A member must be a user: groups inside groups are not supported.');
  return requireMemberId(value);
}
