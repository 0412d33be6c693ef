import { newId } from '../../src/database/id';
import { OrganisationPurge } from '../../src/deletion/organisation-purge';
import { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import {
  createBundle,
  createCast,
  createEndpoint,
  createListing,
  createScimUser,
  idOf,
  unique,
} from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { Receiver, verified } from '../support/receiver';
import { createDirectory, newUser } from '../support/scim';
import { SENDING } from '../support/sending';
import { statementsOf } from '../support/statements';

const LONG_MS = 15_000;

describe('Deleting an organisation', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: SENDING });
  });
  afterAll(() => test.close());

  const query = <T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> =>
    test.dataSource.query<T[]>(sql, parameters);
  const purge = () => test.app.get(OrganisationPurge).purge();

  it('removes at once everything that anyone can see or use', async () => {
    const { orgId, owner, admin, member, outsider, provider } = await createDirectory(test);
    const bundle = await createBundle(member, { org_id: orgId, visibility: 'PUBLIC' });
    const token = await member.post(`/v1/bundles/${bundle.id}/access-tokens`, { name: 'CI' });
    const reader = new Api(test.url, test.document, token.body.token);
    const draft = await createListing(test.dataSource, { orgId, status: 'DRAFT' });
    const secret = await createListing(test.dataSource, { orgId, visibility: 'PRIVATE' });
    const published = await createListing(test.dataSource, { orgId });
    const mine = await createBundle(outsider);
    await outsider.post(`/v1/bundles/${mine.id}/entries`, { listing_id: published });
    await provider.api.post(`${provider.base}/Users`, newUser());
    const { id: endpointId } = await createEndpoint(owner, { org_id: orgId });

    expect((await owner.get(`/v1/organisations/${orgId}/deletion-preview`)).body).toEqual({
      org_id: orgId,
      member_count: 4,
      bundle_count: 1,
      credential_count: 0,
      deleted_listing_count: 2,
      archived_listing_count: 1,
      endpoint_count: 1,
      directory_user_count: 1,
      directory_group_count: 0,
      scim_token_count: 1,
    });
    for (const api of [admin, member]) {
      await api.get(`/v1/organisations/${orgId}/deletion-preview`, 403);
      await api.delete(`/v1/organisations/${orgId}`, 403);
    }
    await outsider.delete(`/v1/organisations/${orgId}`, 404);
    await owner.delete(`/v1/organisations/${orgId}`, 204);

    for (const api of [owner, admin, member]) {
      await api.get(`/v1/organisations/${orgId}`, 404);
      await api.get(`/v1/webhooks/${endpointId}`, 404);
    }
    await owner.delete(`/v1/organisations/${orgId}`, 404);
    await outsider.get(`/v1/bundles/${bundle.id}`, 404);
    await reader.get(`/v1/bundles/${bundle.id}`, 401);
    await provider.api.get(`${provider.base}/Users`, 401);
    expect(
      await query(`SELECT id, status, org_id FROM listings WHERE id = ANY ($1)`, [[draft, secret, published]]),
    ).toEqual([{ id: published, status: 'ARCHIVED', org_id: null }]);
    const [entry] = (await outsider.get(`/v1/bundles/${mine.id}/entries`)).body;
    expect(entry?.listing_id).toBe(published);
  });

  it('frees the organisation’s slug', async () => {
    const { orgId, owner } = await createCast(test);
    const [{ slug } = { slug: '' }] = await query<{ slug: string }>(`SELECT slug FROM organisations WHERE id = $1`, [
      orgId,
    ]);
    await owner.delete(`/v1/organisations/${orgId}`, 204);
    await owner.post('/v1/organisations', { name: 'Again', slug });
  });

  it('notifies its endpoints before they are removed, even one that is down at first', async () => {
    const { orgId, owner } = await createCast(test);
    let failures = 1;
    const receiver = await Receiver.start((_, response) => response.writeHead(failures-- > 0 ? 500 : 204).end());
    try {
      const { id, secret } = await createEndpoint(owner, {
        org_id: orgId,
        target_url: `${receiver.url}/in`,
        event_types: ['organisation.deleted'],
      });
      const quiet = await createEndpoint(owner, { org_id: orgId, target_url: `${receiver.url}/quiet` });
      await owner.delete(`/v1/organisations/${orgId}`, 204);
      await eventually(
        async () => {
          await purge();
          return receiver.requests.length;
        },
        (count) => count === 1,
        LONG_MS,
      );
      // The attempt failed: the endpoint waits for the next one, and the organisation for the endpoint.
      await eventually(
        async () => {
          await purge();
          return query(`SELECT id FROM webhook_endpoints WHERE id = ANY ($1)`, [[id, quiet.id]]);
        },
        (left) => JSON.stringify(left) === JSON.stringify([{ id }]),
        LONG_MS,
      );
      await query(`UPDATE webhook_queue SET due_at = now() WHERE endpoint_id = $1`, [id]);
      await query(`UPDATE webhook_lanes SET wake_at = now() WHERE endpoint_id = $1`, [id]);
      await eventually(
        () => receiver.requests.length,
        (count) => count === 2,
        LONG_MS,
      );
      const [, webhook] = receiver.requests;
      if (!webhook) throw new Error('Two arrived.');
      const { type, data } = verified(webhook, secret);
      expect(type).toBe('organisation.deleted');
      expect(data).toMatchObject({ org_id: orgId, deleted_by: await idOf(owner) });
      await eventually(
        async () => {
          await purge();
          return query(`SELECT 1 FROM organisations WHERE id = $1`, [orgId]);
        },
        (left) => left.length === 0,
        LONG_MS,
      );
    } finally {
      await receiver.close();
    }
  });

  it('gives up after five days on an endpoint that never answers', async () => {
    const { orgId, owner } = await createCast(test);
    await createEndpoint(owner, { org_id: orgId, event_types: ['organisation.deleted'] });
    await owner.delete(`/v1/organisations/${orgId}`, 204);
    await query(`UPDATE organisations SET deleted_at = now() - interval '121 hours' WHERE id = $1`, [orgId]);
    await purge();
    expect(await query(`SELECT 1 FROM organisations WHERE id = $1`, [orgId])).toEqual([]);
  });

  it('removes its directory, its logs, and the accounts that were created only for it', async () => {
    const { orgId, owner, provider } = await createDirectory(test);
    const other = await createCast(test);
    const known = await createScimUser(test.dataSource, orgId);
    const shared = await createScimUser(test.dataSource, orgId);
    await createScimUser(test.dataSource, other.orgId, { userId: shared.userId });
    const claimed = await createScimUser(test.dataSource, orgId, { userId: await idOf(other.outsider) });
    const group = (
      await provider.api.post(`${provider.base}/Groups`, {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'Everybody',
        members: [known, shared, claimed].map(({ id }) => ({ value: id })),
      })
    ).body;
    await owner.post(`/v1/organisations/${orgId}/scim/role-mappings`, { group_id: group.id, role: 'ADMIN' });
    await owner.post(`/v1/organisations/${orgId}/scim/sync`, undefined, 200);
    await owner.delete(`/v1/organisations/${orgId}`, 204);
    await eventually(
      async () => {
        await purge();
        return query(`SELECT 1 FROM organisations WHERE id = $1`, [orgId]);
      },
      (left) => left.length === 0,
      LONG_MS,
    );
    const tables = await query<{ table: string }>(
      `SELECT table_name AS table FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'org_id' AND table_name NOT IN ('events', 'listing_versions')`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { table } of tables) {
      expect({ table, rows: await query(`SELECT 1 FROM ${table} WHERE org_id = $1`, [orgId]) }).toEqual({
        table,
        rows: [],
      });
    }
    const accounts = await query<{ id: string }>(`SELECT id FROM users WHERE id = ANY ($1) ORDER BY id`, [
      [known.userId, shared.userId, claimed.userId],
    ]);
    expect(accounts.map(({ id }) => id)).toEqual([shared.userId, claimed.userId].sort());
  });

  it.each([
    [
      'is in a directory',
      `INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name) SELECT uuid_v7(), org_id, user_id, user_id, user_id`,
    ],
    [
      'is invited',
      `INSERT INTO invitations (id, org_id, user_id, role, created_at, expires_at) SELECT uuid_v7(), org_id, user_id, 'MEMBER', now(), now()`,
    ],
    [
      'is granted a namespace',
      `INSERT INTO namespaces (id, namespace, user_id, method, verified_at) SELECT uuid_v7(), 'com.' || user_id, user_id, 'grant', now()`,
    ],
  ])('keeps an account that %s elsewhere, before or at that moment', async (_, insert) => {
    const { orgId, owner } = await createCast(test);
    const other = await createCast(test);
    const [before, now] = [await createScimUser(test.dataSource, orgId), await createScimUser(test.dataSource, orgId)];
    const insertFor = (userId: string) =>
      `${insert} FROM (SELECT '${other.orgId}'::uuid AS org_id, '${userId}'::uuid AS user_id) AS given`;
    await query(insertFor(before.userId));
    await owner.delete(`/v1/organisations/${orgId}`, 204);
    await holding(test.dataSource, insertFor(now.userId), async (release) => {
      let isOver = false;
      const purging = purge().finally(() => (isOver = true));
      await untilBlocked(test.dataSource, 1, () => isOver);
      await release();
      await purging;
    });
    const ids = [before.userId, now.userId];
    expect(await query(`SELECT id FROM users WHERE id = ANY ($1)`, [ids])).toHaveLength(2);
  });

  it('takes the same number of statements with 10,000 members', async () => {
    const small = await createCast(test);
    const large = await createCast(test);
    await query(
      `WITH made AS (INSERT INTO users (id, email) SELECT uuid_v7(), 'm' || n || '@large.example' FROM generate_series(1, 10000) AS n RETURNING id)
       INSERT INTO memberships (org_id, user_id, manual_role, role) SELECT $1, id, 'MEMBER', 'MEMBER' FROM made`,
      [large.orgId],
    );
    await query(
      `INSERT INTO bundles (id, name, slug, org_id, owner_id)
       SELECT uuid_v7(), 'B', 'b-' || n, $1, $2 FROM generate_series(1, 1000) AS n`,
      [large.orgId, await idOf(large.owner)],
    );
    await createBundle(small.owner, { org_id: small.orgId });
    const counts: number[] = [];
    for (const { owner, orgId } of [small, large]) {
      const statements = await statementsOf(test, () => owner.delete(`/v1/organisations/${orgId}`, 204));
      counts.push(statements.filter(({ isOfRequest }) => isOfRequest).length);
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBe(counts[0]);
    expect(await query(`SELECT 1 FROM memberships WHERE org_id = $1`, [large.orgId])).toEqual([]);
  });

  it('leaves nothing behind of changes made at the same moment', async () => {
    const { orgId, owner, admin } = await createCast(test);
    const answers = await Promise.all([
      owner.call('delete', `/v1/organisations/${orgId}`, undefined),
      ...Array.from({ length: 5 }, () =>
        admin.call('post', `/v1/organisations/${orgId}/scim/tokens`, undefined, { name: unique('T') }),
      ),
    ]);
    expect(answers[0]?.status).toBe(204);
    await purge();
    expect(await query(`SELECT 1 FROM scim_tokens WHERE org_id = $1`, [orgId])).toEqual([]);
    await admin.get(`/v1/organisations/${orgId}`, 404);
    await owner.delete(`/v1/organisations/${newId()}`, 404);
  });
});
