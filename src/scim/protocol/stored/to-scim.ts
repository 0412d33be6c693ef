import { createHash } from 'node:crypto';
import type { StoredGroup } from '../schema/group-document';
import { GROUP_TYPE } from '../schema/group-schema';
import { enterpriseOf, type StoredUser, type UserAttributes } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { ENTERPRISE_URN, GROUP_URN, USER_URN } from '../urns';
import type { ResourceType } from '../schema/attribute';
import type { ScimResource } from '../scim-resource';
import { type UserManager, withManager } from './user-managers';
import { resourceAddress } from '../scim-address';

/** A group of a user. */
export interface UserGroup {
  id: string;
  displayName: string;
}

/** A member of a group. */
export interface GroupMember {
  id: string;
  userName: string;
  displayName: string | null;
}

/**
 * A user in a response (RFC 7643, section 4.1), before attribute selection. Attributes without a value are left out;
 * nothing is revealed about the account.
 *
 * @param groups undefined: not requested
 * @param base URL of the organisation's SCIM service, without a trailing slash
 * @param manager undefined: not requested, or not a user of the organisation
 */
export function userResource(
  user: StoredUser,
  groups: UserGroup[] | undefined,
  base: string,
  manager?: UserManager,
): ScimResource {
  const attributes = shownAttributes(user, manager, base);
  const own: Record<string, unknown> = {};
  for (const { name } of USER_TYPE.schema.attributes) {
    if (Object.hasOwn(attributes, name)) own[name] = attributes[name];
  }
  const extensions = USER_TYPE.extensions.map(({ id }) => id).filter((id) => Object.hasOwn(attributes, id));
  return {
    schemas: [USER_URN, ...extensions],
    id: user.id,
    ...(user.externalId !== null && { externalId: user.externalId }),
    userName: user.userName,
    ...(user.displayName !== null && { displayName: user.displayName }),
    ...own,
    active: user.active,
    ...(groups && {
      groups: groups.map(({ id, displayName }) => ({
        value: id,
        $ref: resourceAddress(base, GROUP_TYPE, id),
        display: displayName,
        type: 'direct',
      })),
    }),
    ...Object.fromEntries(extensions.map((id) => [id, attributes[id]])),
    meta: metaOf(USER_TYPE, user, userVersion(user, groups, manager), base),
  };
}

/**
 * A group in a response (RFC 7643, section 4.2), before attribute selection.
 *
 * @param members undefined: not requested
 * @param base URL of the organisation's SCIM service, without a trailing slash
 */
export function groupResource(group: StoredGroup, members: GroupMember[] | undefined, base: string): ScimResource {
  return {
    schemas: [GROUP_URN],
    id: group.id,
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.displayName,
    ...(members && {
      members: members.map(({ id, displayName, userName }) => ({
        value: id,
        $ref: resourceAddress(base, USER_TYPE, id),
        display: displayName ?? userName,
        type: 'User',
      })),
    }),
    meta: metaOf(GROUP_TYPE, group, groupVersion(group), base),
  };
}

/**
 * The weak entity tag of a user (RFC 7644, section 3.14). Groups and manager can change without a change of the user;
 * if they are part of the response, they are part of the tag, after a dot. Writes compare the part before the dot.
 *
 * @param groups in any order; empty, or undefined if not requested
 * @param manager undefined: not requested, or not a user of the organisation
 */
export function userVersion(
  { version }: Pick<StoredUser, 'version'>,
  groups: UserGroup[] = [],
  manager?: UserManager,
): string {
  if (groups.length === 0 && !manager) return `W/"${version}"`;
  const hash = createHash('sha256');
  const lines = groups.map(({ id, displayName }) => JSON.stringify([id, displayName]));
  if (manager) lines.push(JSON.stringify(['manager', manager.isDeleted, manager.displayName]));
  for (const line of lines.sort()) hash.update(line);
  return `W/"${version}.${hash.digest('hex').slice(0, 8)}"`;
}

/** The weak entity tag of a group: membership changes it, but a member's name does not, as it belongs to the user. */
export function groupVersion({ version }: Pick<StoredGroup, 'version'>): string {
  return `W/"${version}"`;
}

function shownAttributes({ attributes }: StoredUser, manager: UserManager | undefined, base: string): UserAttributes {
  const { [ENTERPRISE_URN]: _extension, ...core } = attributes;
  const extension = enterpriseOf(attributes);
  const shown = extension && withManager(extension, manager, base);
  return shown ? { ...core, [ENTERPRISE_URN]: shown } : core;
}

function metaOf(
  type: ResourceType,
  { id, createdAt, updatedAt }: Pick<StoredUser, 'id' | 'createdAt' | 'updatedAt'>,
  version: string,
  base: string,
): ScimResource['meta'] {
  return {
    resourceType: type.name,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location: resourceAddress(base, type, id),
    version,
  };
}
