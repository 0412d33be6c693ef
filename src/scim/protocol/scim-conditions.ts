import { ScimError } from './scim-error';

const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Checks `If-Match` against a stored resource. Tags are compared weakly, since ours are weak and RFC 7644, section 3.14
 * has clients send them back; and by the version only: a user's PUT does not replace group memberships.
 *
 * @param ifMatch the header; undefined if absent
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
 * @param ifNoneMatch the header; undefined if absent
 * @param tag of the response
 * @returns whether the client already has it
 */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const [opaque] = opaqueTags(tag);
  return ifNoneMatch.trim() === '*' || opaqueTags(ifNoneMatch).some((candidate) => candidate === opaque);
}

/** The quoted part of each tag in a list; malformed tags match nothing. */
function opaqueTags(list: string): string[] {
  return list.split(',').flatMap((part) => ENTITY_TAG.exec(part.trim())?.[1] ?? []);
}
