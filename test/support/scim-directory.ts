import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { Answer, Api } from './api';
import type { ScimError, ScimGroup, ScimList, ScimPatchOperation, ScimUser } from './api-types';
import type { TestApp } from './app';
import { type Told, watchEvents } from './organisations';
import { createDirectory, newGroup, newUser, patch, type Provider, type ScimBase } from './scim';
import { statementsOf } from './statements';

/** A user or a group as it is answered unless a request leaves something out (RFC 7644, section 3.9). */
export interface Resource
  extends
    Required<Pick<ScimUser, 'id' | 'userName' | 'displayName' | 'active'>>,
    Pick<ScimUser, 'schemas' | 'externalId'> {
  members?: Required<Pick<Item<ScimGroup['members']>, 'value' | 'display' | '$ref' | 'type'>>[];
  groups?: Required<Pick<Item<ScimUser['groups']>, 'value' | 'display'>>[];
  meta: Required<
    Pick<NonNullable<ScimUser['meta']>, 'resourceType' | 'version' | 'location' | 'created' | 'lastModified'>
  >;
  [name: string]: unknown;
}

type Item<List> = NonNullable<List> extends (infer One)[] ? One : never;

export type List = Required<Pick<ScimList, 'totalResults' | 'itemsPerPage'>> &
  Pick<ScimList, 'startIndex' | 'nextCursor'> & { Resources: Resource[] };

/**
 * The document leaves all of SCIM's attributes open, since a request may leave out any of them.
 *
 * @throws Error if the answer is not a whole user or group
 */
export function resourceIn({ body, text }: Answer): Resource {
  if (!isResource(body)) throw new Error(`Not a whole resource: ${text}`);
  return body;
}

function isResource(body: unknown): body is Resource {
  return isObject(body) && 'id' in body && 'meta' in body;
}

/** @throws Error if the answer is not a list */
export function listIn({ body, text }: Answer): List {
  if (!isList(body)) throw new Error(`Not a list: ${text}`);
  return body;
}

function isList(body: unknown): body is List {
  return isObject(body) && 'totalResults' in body;
}

/** @throws Error if the answer is not a JSON object */
export function objectIn({ body, text }: Answer): Record<string, unknown> {
  if (!isObject(body)) throw new Error(`Not an object: ${text}`);
  return body;
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** @throws Error if the answer is not an error of RFC 7644, section 3.12 */
export function errorIn({ body, text }: Answer): ScimError {
  if (!isError(body)) throw new Error(`Not an error: ${text}`);
  return body;
}

function isError(body: unknown): body is ScimError {
  return isObject(body) && 'detail' in body && 'status' in body;
}

export interface Mapping {
  id: string;
  group_id: string | null;
  group_name: string;
}

type Query = Record<string, string>;

/** So that no statement takes as long as the database allows. */
const MAX_AT_ONCE = 10_000;

/** The directory of an organisation of its own, as an identity provider sees it, and what lies behind. */
export class Directory {
  private constructor(
    private readonly test: TestApp,
    readonly provider: Provider,
    /** OWNER of the organisation. */
    readonly owner: Api,
    /** What was told since this was last called. */
    readonly events: () => Promise<Told[]>,
  ) {}

  static async create(test: TestApp): Promise<Directory> {
    const { provider, owner } = await createDirectory(test);
    const events = watchEvents(test.dataSource, provider.orgId);
    await events();
    return new Directory(test, provider, owner, events);
  }

  get orgId(): string {
    return this.provider.orgId;
  }

  path<Below extends string>(below: Below, query: Query = {}): `${ScimBase}/${Below}` {
    const search = new URLSearchParams(query).toString();
    return `${this.provider.base}/${below}${search ? `?${search}` : ''}` as `${ScimBase}/${Below}`;
  }

  async createUser(fields: object = {}): Promise<Resource> {
    return resourceIn(await this.provider.api.post(this.path('Users'), newUser(fields)));
  }

  async createGroup(members: string[] = [], fields: object = {}): Promise<Resource> {
    return resourceIn(await this.provider.api.post(this.path('Groups'), newGroup(members, fields)));
  }

  /** @param below as `Users/{id}` */
  async read(below: string): Promise<Resource> {
    return resourceIn(await this.provider.api.get(this.path(below)));
  }

  /** @param below as `Users` */
  async list(below: string, query: Query = {}): Promise<List> {
    return listIn(await this.provider.api.get(this.path(below, query)));
  }

  /** A request that must fail. @returns the error */
  async fail(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    status: number,
    body?: object,
  ): Promise<ScimError> {
    return errorIn(await this.provider.api.call(method, path, status, body));
  }

  async membersOf(groupId: string): Promise<string[]> {
    return ((await this.read(`Groups/${groupId}`)).members ?? []).map(({ value }) => value).sort();
  }

  /** A PATCH of a group, to which there is nothing to say. */
  changeGroup(groupId: string, ...operations: ScimPatchOperation[]): Promise<Answer> {
    return this.provider.api.patch(this.path(`Groups/${groupId}`), patch(...operations), 204);
  }

  /** By SQL, since a mapping is an administrator's affair. */
  async map(fields: { groupId?: string; name: string; role: Role; createdAt?: string }): Promise<string> {
    const id = newId();
    await this.test.dataSource.query(
      `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role, created_at)
       VALUES ($1, $2, $3, $4, $5, coalesce($6::timestamptz, now()))`,
      [id, this.orgId, fields.groupId ?? null, fields.name, fields.role, fields.createdAt ?? null],
    );
    return id;
  }

  async mapping(id: string): Promise<Mapping | undefined> {
    const [row] = await this.test.dataSource.query<Mapping[]>(
      `SELECT id, group_id, group_name FROM scim_role_mappings WHERE id = $1`,
      [id],
    );
    return row;
  }

  /** @returns the account that a user is linked to */
  async accountOf(scimUserId: string): Promise<string> {
    const [row] = await this.test.dataSource.query<{ user_id: string }[]>(
      `SELECT user_id FROM scim_users WHERE id = $1`,
      [scimUserId],
    );
    if (!row) throw new Error('Entries are never removed.');
    return row.user_id;
  }

  /** @returns the role of the account that a user is linked to; undefined: it is no member */
  async roleOf(scimUserId: string): Promise<Role | null | undefined> {
    const [row] = await this.test.dataSource.query<{ role: Role | null }[]>(
      `SELECT role FROM memberships WHERE org_id = $1 AND user_id = $2`,
      [this.orgId, await this.accountOf(scimUserId)],
    );
    return row?.role;
  }

  /** @returns the number of statements, without those about the token and the provisioning log */
  async costOf(work: () => Promise<unknown>): Promise<number> {
    return (await statementsOf(this.test, work)).filter(({ sql }) => !/scim_tokens|scim_log/.test(sql)).length;
  }

  /**
   * Many users at once, by SQL.
   *
   * @param groupId a group that they shall be in
   * @returns their ids
   */
  async fill(count: number, groupId?: string): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count) ids.push(...(await this.fillSome(Math.min(count - ids.length, MAX_AT_ONCE), groupId)));
    return ids;
  }

  private async fillSome(count: number, groupId?: string): Promise<string[]> {
    const rows = await this.test.dataSource.query<{ id: string }[]>(
      `WITH accounts AS (
         INSERT INTO users (id, email) SELECT uuid_v7(), n || '-' || gen_random_uuid() || '@example.com'
         FROM generate_series(1, $2::int) AS n RETURNING id, email
       )
       INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name, display_name, attributes)
       SELECT uuid_v7(), $1, id, id, email, CASE WHEN random() < 0.9 THEN 'Person ' || left(email, 8) END,
              jsonb_build_object('emails', jsonb_build_array(jsonb_build_object('value', email, 'type', 'work')))
       FROM accounts RETURNING id`,
      [this.orgId, count],
    );
    const ids = rows.map(({ id }) => id);
    if (groupId) {
      await this.test.dataSource.query(
        `INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $1, unnest($2::uuid[])`,
        [groupId, ids],
      );
    }
    return ids;
  }
}
