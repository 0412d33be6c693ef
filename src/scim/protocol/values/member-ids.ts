import { ScimError } from '../scim-error';
import { isObject } from '../../../http/requests/json-object';
import { readFields } from './json-object';

const MAX_ID_LENGTH = 512;
/** The attributes of a member; only its id counts. We generate `display`, and Entra ID sends `$ref` as null. */
const NAMES = ['value', '$ref', 'display', 'type'] as const;

/**
 * Parses members of a group (RFC 7643, section 4.2): `[{"value": "id"}]`, and as some clients send it `["id"]` or a
 * single one without the list. Does not check whether the users exist.
 *
 * @param json `null` and an empty list mean no members
 * @param ignored collects the paths of unknown attributes
 * @returns the ids as sent, each once
 * @throws ScimError `invalidValue` for anything but the id of a user, including nested groups; `invalidSyntax` for a
 *   duplicate name
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
  if (id.length > MAX_ID_LENGTH) {
    throw new ScimError('invalidValue', `members.value is longer than ${MAX_ID_LENGTH} characters.`);
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
