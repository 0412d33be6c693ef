import { ScimError } from '../scim-error';

const LONGEST_NAME = 200;
/** Far more than all schemas together define. */
const MOST_ATTRIBUTES = 1_000;
const MOST_NAMES = 100;

export function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/**
 * The attributes of a JSON object. Since names are case-insensitive (RFC 7643, section 2.1), none may occur twice in
 * different case: which one counts would be a guess.
 *
 * @param where the path of the object, for the error; empty: the body itself
 * @throws ScimError `invalidSyntax`
 */
export function entriesOf(object: Record<string, unknown>, where: string): [string, unknown][] {
  const entries = Object.entries(object);
  if (entries.length > MOST_ATTRIBUTES) {
    throw new ScimError('invalidSyntax', `"${shorten(where)}" has more than ${MOST_ATTRIBUTES} attributes.`);
  }
  const names = new Set<string>();
  for (const [name] of entries) {
    const lower = name.toLowerCase();
    if (names.has(lower)) {
      throw new ScimError('invalidSyntax', `"${shorten(where ? `${where}.${name}` : name)}" appears twice.`);
    }
    names.add(lower);
  }
  return entries;
}

/** Records an unknown attribute for the provisioning log, within bounds that no legitimate client exceeds. */
export function noteIgnored(ignored: Set<string>, name: string): void {
  if (ignored.size < MOST_NAMES) ignored.add(shorten(name));
  else ignored.add('…');
}

/** Shortens client input for an error or a log. */
export function shorten(text: string): string {
  // Cut between characters, never within one: half of a surrogate pair is not valid text.
  return text.length <= LONGEST_NAME
    ? text
    : `${text
        .slice(0, LONGEST_NAME)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}
