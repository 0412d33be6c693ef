import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { QueryBatcher } from '../../../database/query-batcher';
import { many } from '../../../database/statements';
import { parseFilter } from '../filter/parse';
import { resolvePath } from '../schema/attribute-path';
import type { ResourceType } from '../schema/attribute';
import type { StoredUser } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import type { ScimClient } from '../scim-client';
import type { ScimQuery } from '../scim-resource';
import type { UserGroup } from '../stored/to-scim';
import type { UserManager } from '../stored/user-managers';
import type { Selection } from '../values/selection';
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

interface LookupRequest {
  client: ScimClient;
  value: string;
}

/** More at a time are looked up by several statements. */
const MAX_TOGETHER = 50;
/** Milliseconds that a look-up waits for the statement that runs: several times as long as that usually takes. */
const PATIENCE_MS = 10;

/** What a statement looks up by, and shows. */
interface Shape {
  attribute: UserLookup['attribute'];
  hasGroups: boolean;
  hasManager: boolean;
}

/** Looks users up. Requests that arrive at the same time share a statement (`QueryBatcher`). */
@Injectable()
export class UserLookups {
  /** For each of the eight shapes. */
  private readonly together = new Map<string, QueryBatcher<LookupRequest, Row[]>>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reads the users that a look-up matches: hardly ever more than one. Confirms the client's token.
   *
   * @returns in the order of a list
   */
  async find(client: ScimClient, { attribute, value }: UserLookup, selection: Selection): Promise<ShownUser[]> {
    const shape = { attribute, hasGroups: selection.wants('groups'), hasManager: selection.wants('manager') };
    const rows = (await this.togetherWith(shape).ask({ client, value })) ?? [];
    if (rows[0]?.isAdmitted) client.isUnconfirmed = false;
    return rows
      .filter((row): row is Row & StoredUser => row.id !== null)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ groups, manager, isAdmitted: _, place: _place, ...user }) => ({
        user,
        groups: shape.hasGroups ? (groups ?? []) : undefined,
        manager: manager ?? undefined,
      }));
  }

  private togetherWith(shape: Shape): QueryBatcher<LookupRequest, Row[]> {
    const key = `${shape.attribute} ${shape.hasGroups} ${shape.hasManager}`;
    const known = this.together.get(key);
    if (known) return known;
    const askAll = (asked: readonly LookupRequest[]) => this.ask(shape, asked);
    const together = new QueryBatcher(askAll, MAX_TOGETHER, PATIENCE_MS);
    this.together.set(key, together);
    return together;
  }

  private async ask({ attribute, hasGroups, hasManager }: Shape, asked: readonly LookupRequest[]): Promise<Row[][]> {
    const sql = lookUpUsers(
      attribute === 'userName' ? BY_USER_NAME : BY_EXTERNAL_ID,
      hasGroups ? WITH_GROUPS : 'NULL::json',
      hasManager ? WITH_MANAGER : 'NULL::json',
    );
    const rows = await many<Row>(this.dataSource, sql, [
      asked.map(({ client }) => client.orgId),
      asked.map(({ value }) => value),
      asked.map(({ client }) => client.tokenId),
    ]);
    const answers = asked.map((): Row[] => []);
    for (const row of rows) answers[row.place - 1]?.push(row);
    return answers;
  }
}

/** Null in all columns of the user if there is none. */
type Row = { place: number; isAdmitted: boolean; groups: UserGroup[] | null; manager: UserManager | null } & {
  [Name in keyof StoredUser]: StoredUser[Name] | null;
};
