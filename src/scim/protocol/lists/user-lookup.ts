import type { DataSource } from 'typeorm';
import { many } from '../../../database/statements';
import { parseFilter } from '../filter/parse';
import { resolvePath } from '../schema/attribute-path';
import type { ResourceType } from '../schema/attribute';
import type { StoredUser } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import type { ScimClient } from '../scim-client';
import type { ScimQuery } from '../scim-resource';
import type { UserGroup } from '../to-scim';
import type { UserManager } from '../users/user-managers';
import type { Selection } from './selection';
import { BY_EXTERNAL_ID, BY_USER_NAME, lookUpUsers, WITH_GROUPS, WITH_MANAGER } from './user-lookup.sql';

/** What identity providers begin with for each user: `userName eq "…"` or `externalId eq "…"`, and nothing else. */
export interface UserLookup {
  attribute: 'userName' | 'externalId';
  value: string;
}

/** A user with all that a response shows. */
export interface ShownUser {
  user: StoredUser;
  /** Undefined: not requested. */
  groups: UserGroup[] | undefined;
  manager: UserManager | undefined;
}

/**
 * @param types of the resources to list
 * @returns undefined for any other list, of which a page must be counted, sorted or cut
 * @throws ScimError invalidFilter
 */
export function userLookupOf(types: readonly ResourceType[], query: ScimQuery): UserLookup | undefined {
  const { filter: text, sortBy, cursor, startIndex = 1, count = 1 } = query;
  if (types.length !== 1 || types[0] !== USER_TYPE || text === undefined) return undefined;
  if (sortBy !== undefined || cursor !== undefined || startIndex > 1 || count < 1) return undefined;
  const filter = parseFilter(text);
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined;
  const { attribute, sub, extension } = resolvePath(USER_TYPE, filter.path) ?? {};
  const name = sub || extension ? undefined : attribute?.name;
  return name === 'userName' || name === 'externalId' ? { attribute: name, value: filter.value } : undefined;
}

/**
 * Reads the users that a look-up matches: hardly ever more than one. Confirms the client's token.
 *
 * @returns in the order of a list
 */
export async function lookUp(
  dataSource: DataSource,
  client: ScimClient,
  { attribute, value }: UserLookup,
  selection: Selection,
): Promise<ShownUser[]> {
  const hasGroups = selection.wants('groups');
  const sql = lookUpUsers(
    attribute === 'userName' ? BY_USER_NAME : BY_EXTERNAL_ID,
    hasGroups ? WITH_GROUPS : 'NULL::json',
    selection.wants('manager') ? WITH_MANAGER : 'NULL::json',
  );
  const rows = await many<Row>(dataSource, sql, [client.orgId, value, client.tokenId]);
  if (rows[0]?.isAdmitted) client.isUnconfirmed = false;
  return rows
    .filter((row): row is Row & StoredUser => row.id !== null)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ groups, manager, isAdmitted: _, ...user }) => ({
      user,
      groups: hasGroups ? (groups ?? []) : undefined,
      manager: manager ?? undefined,
    }));
}

/** Null in all columns of the user if there is none. */
type Row = { isAdmitted: boolean; groups: UserGroup[] | null; manager: UserManager | null } & {
  [Name in keyof StoredUser]: StoredUser[Name] | null;
};
