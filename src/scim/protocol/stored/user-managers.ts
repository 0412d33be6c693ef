import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { many } from '../../../database/statements';
import { type ComplexValue, type EnterpriseAttributes, enterpriseOf, type StoredUser } from '../schema/user-document';
import { IS_OWN } from '../tenancy';
import { resourceAddress } from '../scim-address';
import { USER_TYPE } from '../schema/user-schema';

/** A user of the organisation who is another user's manager. */
export interface UserManager {
  id: string;
  displayName: string | null;
  /** Deleted, and therefore no longer anyone's manager. */
  isDeleted: boolean;
}

/** Managers by the ids with which other users refer to them. */
export type UserManagers = ReadonlyMap<string, UserManager>;

/** $1 organisation, $2 ids. */
const FIND_USER_MANAGERS = `
  SELECT found.* FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT id, display_name AS "displayName", deleted_at IS NOT NULL AS "isDeleted" FROM scim_users
    WHERE scim_users.id = wanted.id AND ${IS_OWN} LIMIT 1
  ) AS found`;

/**
 * Reads the managers of users, in one statement; none if no user has a manager whose id could be one of the
 * organisation's. Deleted users' entries are kept, so a deleted manager can be told from an external id.
 */
export async function findUserManagers(
  manager: EntityManager,
  orgId: string,
  users: readonly StoredUser[],
): Promise<UserManagers> {
  const ids = new Set(users.flatMap((user) => managerIdOf(user) ?? []));
  if (ids.size === 0) return new Map();
  const managers = await many<UserManager>(manager, FIND_USER_MANAGERS, [orgId, [...ids]]);
  return new Map(managers.map((row) => [row.id, row]));
}

/** @returns the manager of a user, if that is or was a user of the organisation */
export function userManagerOf(user: Pick<StoredUser, 'attributes'>, managers: UserManagers): UserManager | undefined {
  return managers.get(managerIdOf(user) ?? '');
}

/**
 * The enterprise extension in a response: for a manager who is a user of the organisation, name and URL are that user's
 * (RFC 7643, section 4.3: `displayName` is read-only); a deleted one is left out; an external id is returned as sent.
 *
 * @param base URL of the organisation's SCIM service, without a trailing slash
 * @returns undefined if nothing is left
 */
export function withManager(
  extension: EnterpriseAttributes,
  managerUser: UserManager | undefined,
  base: string,
): EnterpriseAttributes | undefined {
  const { manager: stored, ...others } = extension;
  const manager = stored === undefined ? undefined : shown(stored as ComplexValue, managerUser, base);
  const shownExtension = { ...others, ...(manager && { manager }) };
  return Object.keys(shownExtension).length > 0 ? shownExtension : undefined;
}

function shown(
  { displayName: _sent, ...stored }: ComplexValue,
  managerUser: UserManager | undefined,
  base: string,
): ComplexValue | undefined {
  if (!managerUser) return Object.keys(stored).length > 0 ? stored : undefined;
  if (managerUser.isDeleted) return undefined;
  const { id, displayName } = managerUser;
  return { value: id, $ref: resourceAddress(base, USER_TYPE, id), ...(displayName !== null && { displayName }) };
}

function managerIdOf({ attributes }: Pick<StoredUser, 'attributes'>): string | undefined {
  const value = (enterpriseOf(attributes)?.manager as ComplexValue | undefined)?.value;
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined;
}
