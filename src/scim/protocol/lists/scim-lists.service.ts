import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Environment } from '../../../config/environment';
import { Secrets } from '../../../config/secrets';
import { hasTakenTooLong } from '../../../database/database-errors';
import { inSnapshot } from '../../../database/snapshot';
import { many, one } from '../../../database/statements';
import { Cursors } from '../../../http/requests/cursor';
import { LIMITS } from '../limits';
import type { ResourceType } from '../schema/attribute';
import { GROUP_TYPE } from '../schema/group-schema';
import { USER_TYPE } from '../schema/user-schema';
import { ScimError } from '../scim-error';
import type { ScimClient } from '../scim-client';
import { scimBase } from '../scim-address';
import type { ListResponse, ScimQuery, ScimResource } from '../scim-resource';
import { ListCursors, type ListTerms } from './list-cursor';
import { sourcesOf } from './list-sources';
import { countStatement, keysStatement, type PageKey, type Source } from './page-keys';
import { selectAttributes } from '../values/selection';
import { type UserLookup, userLookupOf, UserLookups } from './user-lookup';
import { findGroups, membersOfPage } from '../stored/stored-groups';
import { findUsers, groupsOf } from '../stored/stored-users';
import { findUserManagers, type UserManager, userManagerOf } from '../stored/user-managers';
import { groupResource, userResource } from '../stored/to-scim';
import { LIST_URN } from '../urns';

/** Which page of a list is requested. */
interface PageRequest {
  terms: ListTerms;
  limit: number;
  /** By cursor; otherwise by index. */
  isByCursor: boolean;
  after?: PageKey;
  startIndex: number;
}

/**
 * Lists and searches (RFC 7644, section 3.4.2; RFC 9865). A constant number of statements in one snapshot: the count,
 * the keys of the page, its users, their groups, its groups, their members; only those that are needed. The look-up of a
 * user by name or external id is a single statement.
 */
@Injectable()
export class ScimLists {
  private readonly cursors: Cursors;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly lookups: UserLookups,
    secrets: Secrets,
  ) {
    this.cursors = new Cursors(secrets.derive('cursors'));
  }

  /**
   * @param types of the resources to list, in this order
   * @throws ScimError invalidFilter, invalidPath for a `sortBy` without an order, invalidCursor
   */
  async read(client: ScimClient, types: readonly ResourceType[], query: ScimQuery): Promise<ListResponse> {
    const { orgId } = client;
    const name = ['scim', orgId, ...types.map((type) => type.name)].join(' ');
    const cursors = new ListCursors(this.cursors, name);
    const lookup = userLookupOf(types, query);
    if (lookup) return this.look(client, lookup, query);
    const request = open(cursors, query);
    const sources = sourcesOf(orgId, types, request.terms);
    const page = async (manager: EntityManager): Promise<ListResponse> => {
      const total = await count(manager, sources);
      if (request.limit === 0) return close(request, total, []);
      const keys = await pageKeys(manager, sources, request);
      const shown = keys.slice(0, request.limit);
      const resources = await this.resources(manager, orgId, types, shown, query);
      const last = shown[resources.length - 1];
      const isMore = resources.length < keys.length;
      const next = request.isByCursor && isMore && last ? cursors.encode(last, request.terms) : undefined;
      return close(request, total, resources, next);
    };
    // A filter may match three of 100,000; scanning an index in list order is the wrong way to find those.
    if (request.terms.filter === undefined) return inSnapshot(this.dataSource, page, { alongIndexes: true });
    try {
      return await inSnapshot(this.dataSource, page, { patience: LIMITS.filterMs });
    } catch (error) {
      if (!hasTakenTooLong(error)) throw error;
      throw new ScimError(
        'tooMany',
        'The filter takes too long. Narrow it down, or filter by an attribute that has an index.',
      );
    }
  }

  private async look(client: ScimClient, lookup: UserLookup, query: ScimQuery): Promise<ListResponse> {
    const selection = selectAttributes(USER_TYPE, query);
    const base = scimBase(this.environment.publicUrl, client.orgId);
    const matches = await this.lookups.find(client, lookup, selection);
    const { count = LIMITS.defaultPageSize } = query;
    const resources = matches
      .slice(0, Math.min(count, LIMITS.maxPageSize))
      .map(({ user, groups, manager }) => selection.apply(userResource(user, groups, base, manager)));
    return {
      schemas: [LIST_URN],
      totalResults: matches.length,
      itemsPerPage: resources.length,
      startIndex: 1,
      Resources: resources,
    };
  }

  /** @returns the resources of the first keys; fewer if they are too large for one page */
  private async resources(
    manager: EntityManager,
    orgId: string,
    types: readonly ResourceType[],
    keys: readonly PageKey[],
    query: ScimQuery,
  ): Promise<ScimResource[]> {
    const idsOf = (type: ResourceType) => keys.filter(({ source }) => types[source] === type).map(({ id }) => id);
    const resourcesById = new Map([
      ...(await this.users(manager, orgId, idsOf(USER_TYPE), query)),
      ...(await this.groups(manager, orgId, idsOf(GROUP_TYPE), query)),
    ]);
    const resources = keys.map(({ id }) => resourcesById.get(id));
    const missing = resources.indexOf(undefined);
    return resources.slice(0, missing === -1 ? undefined : missing).filter((resource) => resource !== undefined);
  }

  private async users(
    manager: EntityManager,
    orgId: string,
    ids: string[],
    query: ScimQuery,
  ): Promise<[string, ScimResource][]> {
    if (ids.length === 0) return [];
    const selection = selectAttributes(USER_TYPE, query);
    const base = scimBase(this.environment.publicUrl, orgId);
    const users = await findUsers(manager, orgId, ids);
    const groups = selection.wants('groups') ? await groupsOf(manager, orgId, ids) : undefined;
    const managers = selection.wants('manager')
      ? await findUserManagers(manager, orgId, users)
      : new Map<string, UserManager>();
    return users.map((user) => {
      const resource = userResource(user, groups?.get(user.id), base, userManagerOf(user, managers));
      return [user.id, selection.apply(resource)];
    });
  }

  private async groups(
    manager: EntityManager,
    orgId: string,
    ids: string[],
    query: ScimQuery,
  ): Promise<[string, ScimResource][]> {
    if (ids.length === 0) return [];
    const selection = selectAttributes(GROUP_TYPE, query);
    const base = scimBase(this.environment.publicUrl, orgId);
    const groups = await findGroups(manager, orgId, ids);
    const members = selection.wants('members') ? await membersOfPage(manager, orgId, ids) : undefined;
    return groups
      .filter(({ id }) => !members || members.has(id))
      .map((group) => [group.id, selection.apply(groupResource(group, members?.get(group.id), base))]);
  }
}

/** @throws ScimError invalidCursor */
function open(cursors: ListCursors, query: ScimQuery): PageRequest {
  const { cursor, startIndex = 1 } = query;
  const { after, terms }: { after?: PageKey; terms: ListTerms } = cursor
    ? cursors.decode({ ...query, cursor })
    : { terms: { filter: query.filter, sortBy: query.sortBy, sortOrder: query.sortOrder, count: query.count } };
  const { count = LIMITS.defaultPageSize } = terms;
  return {
    terms,
    limit: Math.min(Math.max(count, 0), LIMITS.maxPageSize),
    isByCursor: cursor !== undefined,
    after,
    startIndex: Math.max(startIndex, 1),
  };
}

function close(request: PageRequest, total: number, resources: ScimResource[], nextCursor?: string): ListResponse {
  return {
    schemas: [LIST_URN],
    totalResults: total,
    itemsPerPage: resources.length,
    ...(!request.isByCursor && { startIndex: request.startIndex }),
    ...(nextCursor !== undefined && { nextCursor }),
    Resources: resources,
  };
}

async function count(manager: EntityManager, sources: Source[]): Promise<number> {
  const { sql, values } = countStatement(sources);
  const { total } = await one<{ total: number }>(manager, sql, values);
  return total;
}

/** One more than the page holds shows whether there is another page. */
function pageKeys(manager: EntityManager, sources: Source[], request: PageRequest): Promise<PageKey[]> {
  const { terms, limit, after, startIndex } = request;
  const { sql, values } = keysStatement(sources, {
    descending: terms.sortBy !== undefined && terms.sortOrder === 'descending',
    after,
    offset: startIndex - 1,
    limit: limit + 1,
  });
  return many<PageKey>(manager, sql, values);
}
