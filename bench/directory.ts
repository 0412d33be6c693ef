import type { Client } from 'pg';
import type { BenchSettings } from './measure';
import { type Service, startService } from './service';

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface ScimAnswer {
  status: number;
  /** From the first byte sent to the last byte received; milliseconds. */
  ms: number;
  bytes: number;
  body: unknown;
}

/** The service, with one organisation that has a directory and a SCIM token. */
export interface Directory {
  service: Service;
  orgId: string;
  /** @throws Error for a response without success */
  scim: (method: string, path: string, body?: object) => Promise<ScimAnswer>;
  stop: () => Promise<void>;
}

/** @param name of the database */
export async function startDirectory(settings: BenchSettings, name: string, port: number): Promise<Directory> {
  const service = await startService(settings, name, port, { LOG_LEVEL: 'warn' });
  const { id: orgId } = (await service.call('POST', '/v1/organisations', { name: 'Bench' })).body as { id: string };
  const created = await service.call('POST', `/v1/organisations/${orgId}/scim/tokens`, { name: 'Bench' });
  const { token } = created.body as { token: string };
  const scim: Directory['scim'] = async (method, path, body) => {
    const started = performance.now();
    const response = await fetch(`${service.url}/v1/organisations/${orgId}/scim/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body ? { 'Content-Type': 'application/scim+json' } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.text();
    const ms = performance.now() - started;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return {
      status: response.status,
      ms,
      bytes: Buffer.byteLength(text),
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  };
  return { service, orgId, scim, stop: service.stop };
}

/**
 * Users with accounts and names, as an identity provider would have pushed them, and their memberships with the default
 * role.
 *
 * @returns the ids of their SCIM resources, in the order of the numbers in `person<n>@example.com`, from 1
 */
export async function addPeople(database: Client, orgId: string, count: number): Promise<string[]> {
  await database.query(`CREATE TEMP TABLE people (n int, user_id uuid, scim_id uuid)`);
  await database.query(`INSERT INTO people SELECT n, uuid_v7(), uuid_v7() FROM generate_series(1, $1) AS n`, [count]);
  await database.query(`INSERT INTO users (id, email) SELECT user_id, 'person' || n || '@example.com' FROM people`);
  await database.query(
    `INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name, external_id, display_name, attributes)
     SELECT scim_id, $1, user_id, user_id, 'person' || n || '@example.com', 'external-' || n, 'Person ' || n,
            jsonb_build_object(
              'name', jsonb_build_object('givenName', 'Person', 'familyName', n::text),
              'emails', jsonb_build_array(
                jsonb_build_object('value', 'person' || n || '@example.com', 'type', 'work', 'primary', true)),
              'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', jsonb_build_object('department', 'D' || n % 50))
     FROM people`,
    [orgId],
  );
  await database.query(
    `INSERT INTO memberships (org_id, user_id, scim_role, role) SELECT $1, user_id, 'MEMBER', 'MEMBER' FROM people`,
    [orgId],
  );
  const { rows } = await database.query<{ scim_id: string }>(`SELECT scim_id FROM people ORDER BY n`);
  await database.query(`DROP TABLE people`);
  return rows.map(({ scim_id }) => scim_id);
}

/** A group of those users, mapped to ADMIN, and their roles. */
export async function addGroup(
  database: Client,
  orgId: string,
  name: string,
  scimUserIds: readonly string[],
): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO scim_groups (id, org_id, display_name) VALUES (uuid_v7(), $1, $2) RETURNING id`,
    [orgId, name],
  );
  const groupId = String(rows[0]?.id);
  await database.query(
    `INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $1, id FROM unnest($2::uuid[]) AS id`,
    [groupId, scimUserIds],
  );
  await database.query(
    `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role) VALUES (uuid_v7(), $1, $2, $3, 'ADMIN')`,
    [orgId, groupId, name],
  );
  await database.query(
    `UPDATE memberships SET scim_role = 'ADMIN', role = 'ADMIN' FROM scim_users
     WHERE memberships.org_id = $1 AND scim_users.org_id = $1 AND memberships.user_id = scim_users.user_id
       AND scim_users.id = ANY ($2)`,
    [orgId, scimUserIds],
  );
  return groupId;
}

/** Gives the tables the statistics of a running service. */
export async function settle(database: Client): Promise<void> {
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
}

/** @param part the share of the values that are at most as large */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? NaN;
}
