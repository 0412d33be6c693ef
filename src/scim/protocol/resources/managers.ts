import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { many } from '../../../database/statements';
import type { ComplexValue, EnterpriseAttributes, StoredUser } from '../schema/user-document';
import { ENTERPRISE_URN } from '../schema/user-schema';
import { IS_OWN } from './tenancy';

/** A user of the organisation who is the manager of another one. */
export interface Manager {
  id: string;
  displayName: string | null;
  /** Deleted since: nobody's manager any more. */
  isDeleted: boolean;
}

/** Managers by the ids under which other users name them. */
export type Managers = ReadonlyMap<string, Manager>;

/** $1 organisation, $2 ids. */
const FIND = `
  SELECT found.* FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT id, display_name AS "displayName", deleted_at IS NOT NULL AS "isDeleted" FROM scim_users
    WHERE scim_users.id = wanted.id AND ${IS_OWN} LIMIT 1
  ) AS found`;

/**
 * Reads the managers of users, in one statement; none where no user has one that could be a user of the organisation.
 * The entries of deleted users stay, so a manager who was deleted is told from an id of somewhere else.
 */
export async function managersOf(
  manager: EntityManager,
  orgId: string,
  users: readonly StoredUser[],
): Promise<Managers> {
  const ids = new Set(users.flatMap((user) => managerIdOf(user) ?? []));
  if (ids.size === 0) return new Map();
  const found = await many<Manager>(manager, FIND, [orgId, [...ids]]);
  return new Map(found.map((one) => [one.id, one]));
}

/** @returns the manager of a user, if that is or was a user of the organisation */
export function managerOf(user: Pick<StoredUser, 'attributes'>, managers: Managers): Manager | undefined {
  return managers.get(managerIdOf(user) ?? '');
}

/**
 * The enterprise extension as it is answered: a manager who is a user of the organisation has the name and the address
 * of that user (RFC 7643, section 4.3: `displayName` is read-only); one who was deleted is left out; an id of somewhere
 * else is given back as it came.
 *
 * @param base address of the organisation's SCIM service, without a slash at the end
 * @returns undefined where nothing is left
 */
export function withManager(
  extension: EnterpriseAttributes,
  found: Manager | undefined,
  base: string,
): EnterpriseAttributes | undefined {
  const { manager: stored, ...others } = extension;
  const manager = stored === undefined ? undefined : shown(stored as ComplexValue, found, base);
  const shownExtension = { ...others, ...(manager && { manager }) };
  return Object.keys(shownExtension).length > 0 ? shownExtension : undefined;
}

function shown(
  { displayName: _given, ...stored }: ComplexValue,
  found: Manager | undefined,
  base: string,
): ComplexValue | undefined {
  if (!found) return Object.keys(stored).length > 0 ? stored : undefined;
  if (found.isDeleted) return undefined;
  const { id, displayName } = found;
  return { value: id, $ref: `${base}/Users/${id}`, ...(displayName !== null && { displayName }) };
}

function managerIdOf({ attributes }: Pick<StoredUser, 'attributes'>): string | undefined {
  const extension = attributes[ENTERPRISE_URN] as EnterpriseAttributes | undefined;
  const value = (extension?.manager as ComplexValue | undefined)?.value;
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined;
}
