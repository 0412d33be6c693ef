import { ScimError } from '../scim-error';

const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Holds `If-Match` against a stored resource. Tags are compared weakly, as ours are weak and RFC 7644, section 3.14 has
 * clients send them back; and by the number alone: who is in which group is no part of what a user's PUT replaces.
 *
 * @param ifMatch the header; undefined: there was none
 * @param version of the stored resource
 * @throws ScimError preconditionFailed
 */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (opaqueTags(ifMatch).some((tag) => tag.split('.', 1)[0] === String(version))) return;
  throw new ScimError(
    'preconditionFailed',
    `The resource is now at version W/"${version}", which does not match If-Match. Read it again.`,
  );
}

/**
 * @param ifNoneMatch the header; undefined: there was none
 * @param tag of what would be answered
 * @returns whether the client has that already
 */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const [opaque] = opaqueTags(tag);
  return ifNoneMatch.trim() === '*' || opaqueTags(ifNoneMatch).some((known) => known === opaque);
}

/** What stands between the quotes of each tag of a list; what is no tag matches nothing. */
function opaqueTags(list: string): string[] {
  return list.split(',').flatMap((part) => ENTITY_TAG.exec(part.trim())?.[1] ?? []);
}
