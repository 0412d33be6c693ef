import type { DataSource } from 'typeorm';
import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { Api } from './api';
import type { Bundle, BundleCreate, WebhookEndpointCreate, WebhookEndpointCreated } from './api-types';
import type { TestApp } from './app';

/** What `GET /v1/users/me` says of the account behind an API. */
export async function idOf(api: Api): Promise<string> {
  return (await api.get('/v1/users/me')).body.id;
}

let counter = 0;
export const unique = (name: string): string => `${name}-${++counter}`;

/** An organisation with one person for each role, through the API. */
export interface Cast {
  orgId: string;
  owner: Api;
  admin: Api;
  member: Api;
  outsider: Api;
}

/**
 * Makes the account behind `joining` a member: they are invited and accept.
 *
 * @param by ADMIN or OWNER of the organisation
 * @returns the user id of the new member
 */
export async function join(by: Api, orgId: string, joining: Api, role: Role = 'MEMBER'): Promise<string> {
  const { id, email } = (await joining.get('/v1/users/me')).body;
  const invited = await by.post(`/v1/organisations/${orgId}/members`, { email, role });
  await joining.post(`/v1/users/me/invitations/${invited.body.id}/accept`, undefined, 200);
  return id;
}

export async function createCast(test: TestApp, name = unique('org')): Promise<Cast> {
  const [owner, admin, member, outsider] = await Promise.all(
    ['owner', 'admin', 'member', 'outsider'].map((part) => test.as(`${part}-of-${name}`)),
  );
  if (!owner || !admin || !member || !outsider) throw new Error('Four subjects give four callers.');
  const made = await owner.post('/v1/organisations', { name, slug: name });
  const { id: orgId } = made.body;
  await join(owner, orgId, admin, 'ADMIN');
  await join(owner, orgId, member, 'MEMBER');
  return { orgId, owner, admin, member, outsider };
}

/**
 * Vouches for the organisation, as a platform administrator does: its directory makes people with an address in the
 * domain members at once, also those who have an account.
 */
export async function vouch(dataSource: DataSource, orgId: string, domain = 'example.com'): Promise<void> {
  await dataSource.query(
    `INSERT INTO organisation_domains (id, org_id, domain, token, vouched_at) VALUES ($1, $2, $3, 'none', now())`,
    [newId(), orgId, domain],
  );
}

export async function createBundle(api: Api, fields: Partial<BundleCreate> = {}): Promise<Bundle> {
  return (await api.post('/v1/bundles', { name: unique('Bundle'), ...fields })).body;
}

export async function createEndpoint(
  api: Api,
  fields: Partial<WebhookEndpointCreate> = {},
): Promise<WebhookEndpointCreated> {
  const body: WebhookEndpointCreate = {
    target_url: 'https://hooks.example.com/in',
    event_types: ['bundle.created'],
    ...fields,
  };
  return (await api.post('/v1/webhooks', body)).body;
}

/** A published, public listing, by SQL: listings have no HTTP operation for it yet. */
export async function createListing(
  dataSource: DataSource,
  fields: { category?: string; status?: string; visibility?: string; orgId?: string; ownerId?: string } = {},
): Promise<string> {
  const slug = fields.category ?? 'testing';
  const id = newId();
  const name = `io.github.test/${unique('server')}`;
  await dataSource.query(
    `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ($1, $1, '', 'box', 1) ON CONFLICT DO NOTHING`,
    [slug],
  );
  await dataSource.query(
    `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, org_id, owner_id)
     SELECT $1, $2, $2, $2, 'A test server.', categories.id, $4, $5, $6, $7 FROM categories WHERE slug = $3`,
    [
      id,
      name,
      slug,
      fields.status ?? 'PUBLISHED',
      fields.visibility ?? 'PUBLIC',
      fields.orgId ?? null,
      fields.ownerId ?? null,
    ],
  );
  await dataSource.query(
    `INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, '1.0.0', $2, true)`,
    [id, { name, description: 'A test server.', version: '1.0.0' }],
  );
  return id;
}

/** A directory user of an organisation who has agreed to be one, with the account that belongs to it. */
export async function createScimUser(
  dataSource: DataSource,
  orgId: string,
  fields: { userId?: string; active?: boolean; deleted?: boolean } = {},
): Promise<{ id: string; userId: string }> {
  const id = newId();
  const userId = fields.userId ?? newId();
  if (!fields.userId)
    await dataSource.query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [userId, `${userId}@example.com`]);
  await dataSource.query(
    `INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name, active, deleted_at)
     VALUES ($1, $2, $3, $3, $4, $5, CASE WHEN $6 THEN now() END)`,
    [id, orgId, userId, `${id}@example.com`, fields.active ?? true, fields.deleted ?? false],
  );
  return { id, userId };
}

export async function createScimGroup(
  dataSource: DataSource,
  orgId: string,
  scimUserIds: string[] = [],
): Promise<string> {
  const id = newId();
  await dataSource.query(`INSERT INTO scim_groups (id, org_id, display_name) VALUES ($1, $2, $3)`, [
    id,
    orgId,
    unique('Group'),
  ]);
  for (const scimUserId of scimUserIds) {
    await dataSource.query(`INSERT INTO scim_group_members (group_id, scim_user_id) VALUES ($1, $2)`, [id, scimUserId]);
  }
  return id;
}

export async function createRoleMapping(
  dataSource: DataSource,
  orgId: string,
  groupId: string,
  role: Role,
): Promise<string> {
  const id = newId();
  await dataSource.query(
    `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role) VALUES ($1, $2, $3, $4, $5)`,
    [id, orgId, groupId, unique('Mapped'), role],
  );
  return id;
}
