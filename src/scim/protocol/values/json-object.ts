import { ScimError } from '../scim-error';

const MAX_NAME_LENGTH = 200;
/** Far more than all schemas together define. */
const MAX_ATTRIBUTES = 1_000;
const MAX_NAMES = 100;

/**
 * The attributes of a JSON object. Since names are case-insensitive (RFC 7643, section 2.1), none may occur twice in
 * different case: which one counts would be a guess.
 *
 * @param where the path of the object, for the error; empty: the body itself
 * @throws ScimError `invalidSyntax`
 */
export function entriesOf(object: Record<string, unknown>, where: string): [string, unknown][] {
  const entries = Object.entries(object);
  if (entries.length > MAX_ATTRIBUTES) {
    const subject = where ? `"${shorten(where)}"` : 'The body';
    throw new ScimError('invalidSyntax', `${subject} has more than ${MAX_ATTRIBUTES} attributes.`);
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

/**
 * Reads an object of which the names are known, in any case.
 *
 * @param names as the RFCs write them
 * @param where the path of the object, for errors and for `ignored`; empty: the body itself
 * @param ignored takes the paths of other names
 * @returns the values by the names of the RFCs; names that were not sent are missing
 * @throws ScimError `invalidSyntax` if a name appears twice
 */
export function readFields<Name extends string>(
  object: Record<string, unknown>,
  names: readonly Name[],
  where: string,
  ignored: Set<string>,
): Partial<Record<Name, unknown>> {
  const fields: Partial<Record<Name, unknown>> = {};
  for (const [key, value] of entriesOf(object, where)) {
    const lower = key.toLowerCase();
    const name = names.find((candidate) => candidate.toLowerCase() === lower);
    if (name === undefined) noteIgnored(ignored, where ? `${where}.${key}` : key);
    else fields[name] = value;
  }
  return fields;
}

/** Records an unknown attribute for the provisioning log, within bounds that no legitimate client exceeds. */
export function noteIgnored(ignored: Set<string>, name: string): void {
  if (ignored.size < MAX_NAMES) ignored.add(shorten(name));
  else ignored.add('…');
}

/** Shortens client input for an error or a log. */
export function shorten(text: string): string {
  // Cut between characters, never within one: half of a surrogate pair is not valid text.
  return text.length <= MAX_NAME_LENGTH
    ? text
    : `${text
        .slice(0, MAX_NAME_LENGTH)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}
