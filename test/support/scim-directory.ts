import type { Response } from 'supertest';
import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { Api } from './api';
import type { TestApp } from './app';
import { type Told, watchEvents } from './organisations';
import { createDirectory, newGroup, newUser, patch, type Provider } from './scim';
import { statementsOf } from './statements';

/** A resource as it is answered, or the error instead of it. */
export interface Resource {
  id: string;
  userName: string;
  displayName: string;
  externalId?: string;
  active: boolean;
  members?: { value: string; display: string; $ref: string; type: string }[];
  groups?: { value: string; display: string }[];
  meta: { resourceType: string; version: string; location: string; created: string; lastModified: string };
  detail: string;
  [name: string]: unknown;
}

export interface List {
  totalResults: number;
  itemsPerPage: number;
  startIndex?: number;
  nextCursor?: string;
  Resources: Resource[];
}

export interface Mapping {
  id: string;
  group_id: string | null;
  group_name: string;
}

type Query = Record<string, string>;

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

  path(below: string, query: Query = {}): string {
    const search = new URLSearchParams(query).toString();
    return `${this.provider.base}/${below}${search ? `?${search}` : ''}`;
  }

  async createUser(fields: object = {}): Promise<Resource> {
    return (await this.provider.api.post(this.path('Users'), newUser(fields))).body as Resource;
  }

  async createGroup(members: string[] = [], fields: object = {}): Promise<Resource> {
    return (await this.provider.api.post(this.path('Groups'), newGroup(members, fields))).body as Resource;
  }

  /** @param below as `Users/{id}` */
  async read(below: string): Promise<Resource> {
    return (await this.provider.api.get(this.path(below))).body as Resource;
  }

  /** @param below as `Users` */
  async list(below: string, query: Query = {}): Promise<List> {
    return (await this.provider.api.get(this.path(below, query))).body as List;
  }

  /** A request that must fail. @returns the error */
  async fail(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    status: number,
    body?: object,
  ): Promise<Resource> {
    return (await this.provider.api.call(method, path, status, body)).body as Resource;
  }

  async membersOf(groupId: string): Promise<string[]> {
    return ((await this.read(`Groups/${groupId}`)).members ?? []).map(({ value }) => value).sort();
  }

  /** A PATCH of a group, to which there is nothing to say. */
  changeGroup(groupId: string, ...operations: object[]): Promise<Response> {
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
