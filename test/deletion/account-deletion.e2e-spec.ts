import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import type { Error as ErrorBody } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createBundle, createCast, createEndpoint, createListing, idOf, unique, vouch } from '../support/factories';
import { createDirectory, newUser } from '../support/scim';
import { statementsOf } from '../support/statements';

const ME = '/v1/users/me';
const LONG_MS = 10_000;

/** What happens to each column that refers to an account, when the account is deleted. */
const REFERENCES: Record<string, string> = {
  'account_invitations.invited_by': 'the account without a name, until the invitation goes',
  'bundle_access_tokens.created_by': 'the account without a name, as the bundle of an organisation keeps its tokens',
  'bundle_editors.user_id': 'goes',
  'bundle_follows.user_id': 'goes',
  'bundles.owner_id': 'goes if personal, else the account without a name',
  'connect_flows.person_id': 'goes',
  'credentials.created_by': 'the account without a name, as bundles and organisations keep theirs',
  'credentials.person_id': 'goes',
  'identities.user_id': 'goes',
  'invitations.answered_by': 'goes',
  'invitations.invited_by': 'nobody',
  'invitations.user_id': 'goes',
  'listing_reviews.user_id': 'goes',
  'listings.owner_id': 'goes if personal and never public, else nobody or the account without a name',
  'memberships.user_id': 'goes',
  'namespaces.user_id': 'goes',
  'organisations.created_by': 'nobody',
  'passkeys.user_id': 'goes',
  'password_resets.user_id': 'goes',
  'passwords.user_id': 'goes',
  'personal_access_tokens.user_id': 'goes',
  'recovery_codes.user_id': 'goes',
  'requested_password_resets.user_id': 'goes',
  'scim_users.user_id': 'another account without an address',
  'server_requests.decided_by': 'nobody',
  'server_requests.requested_by': 'goes',
  'sessions.user_id': 'goes',
  'webhook_endpoints.owner_id': 'goes if personal, else the account without a name',
};

describe('Deleting an account', () => {
  let dataDir: string;
  let test: TestApp;
  let replica: TestApp;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'toolyard-deletion-'));
    const env = { PLATFORM_ADMINS: 'root', RUN: 'api' };
    test = await createTestApp({ dataDir, env });
    replica = await createTestApp({ dataDir, env, database: test.database });
  });

  afterAll(async () => {
    await replica.close();
    await test.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const query = <T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> =>
    test.dataSource.query<T[]>(sql, parameters);
  const detail = (response: { body: ErrorBody }): string => response.body.detail;

  it('covers every column that refers to an account', async () => {
    const columns = await query<{ name: string }>(`
      SELECT conrelid::regclass || '.' || attname AS name FROM pg_constraint
      JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
      WHERE contype = 'f' AND confrelid = 'users'::regclass ORDER BY 1`);
    // If one is missing: handle it in `deletion/account-deletion.service.ts`, since the row of the account stays.
    expect(columns.map(({ name }) => name)).toEqual(Object.keys(REFERENCES));
  });

  it('removes everything personal, and leaves what belongs to others, without a name', async () => {
    const cast = await createCast(test);
    const leaver = await test.as(unique('leaver'));
    const userId = await idOf(leaver);
    await query(`INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, 'ADMIN', 'ADMIN')`, [
      cast.orgId,
      userId,
    ]);
    const personal = await createBundle(leaver);
    const shared = await createBundle(leaver, { org_id: cast.orgId });
    const followed = await createBundle(cast.owner, { visibility: 'PUBLIC' });
    await leaver.put(`/v1/bundles/${followed.id}/follow`, undefined, 204);
    const token = await leaver.post(`/v1/bundles/${personal.id}/access-tokens`, { name: 'CI' });
    await leaver.post('/v1/users/me/access-tokens', { name: 'Laptop', scopes: ['catalog:read'] });
    const hook = await createEndpoint(leaver);
    const orgHook = await createEndpoint(leaver, { org_id: cast.orgId });
    const draft = await createListing(test.dataSource, { ownerId: userId, status: 'DRAFT', visibility: 'PRIVATE' });
    const published = await createListing(test.dataSource, { ownerId: userId });

    await leaver.delete(ME, 204);

    const ids = async (table: string, wanted: string[]) =>
      (await query<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY ($1) ORDER BY id`, [wanted])).map(
        ({ id }) => id,
      );
    expect(await ids('bundles', [personal.id, shared.id, followed.id])).toEqual([shared.id, followed.id]);
    expect(await ids('webhook_endpoints', [hook.id, orgHook.id])).toEqual([orgHook.id]);
    expect(await ids('listings', [draft, published])).toEqual([published]);
    expect(await query(`SELECT status, org_id, owner_id FROM listings WHERE id = $1`, [published])).toEqual([
      { status: 'ARCHIVED', org_id: null, owner_id: null },
    ]);
    expect(await query(`SELECT follower_count FROM bundles WHERE id = $1`, [followed.id])).toEqual([
      { follower_count: 0 },
    ]);
    const tables = ['identities', 'memberships', 'bundle_follows', 'bundle_editors', 'personal_access_tokens'];
    for (const table of tables) {
      expect(await query(`SELECT 1 FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
    }
    expect(
      await query(`SELECT email, name, closed_at IS NOT NULL AS closed FROM users WHERE id = $1`, [userId]),
    ).toEqual([{ email: null, name: null, closed: true }]);
    const bundleToken = new Api(test.url, test.document, token.body.token);
    await bundleToken.get(`/v1/bundles/${personal.id}`, 401);
    const members = (await cast.owner.get(`/v1/organisations/${cast.orgId}/members`)).body;
    expect(members.map(({ user_id }) => user_id)).not.toContain(userId);
    const log = (await cast.owner.get(`/v1/organisations/${cast.orgId}/audit-log?subject_id=${userId}`)).body;
    expect(log).toMatchObject([
      {
        action: 'member.removed',
        reason: 'account_deleted',
        actor: { id: userId, name: 'a deleted account', email: null },
      },
    ]);
    expect(
      await query(
        `SELECT data->>'reason' AS reason FROM events WHERE type = 'member.removed' AND data->>'user_id' = $1`,
        [userId],
      ),
    ).toEqual([{ reason: 'account_deleted' }]);
  });

  it('ends every token at once, including those cached on other replicas', async () => {
    const subject = unique('everywhere');
    const [token, other] = [await test.token(subject), await test.token(subject)];
    const here = [token, other].map((one) => new Api(test.url, test.document, one));
    const there = [token, other].map((one) => new Api(replica.url, replica.document, one));
    const [first] = here;
    for (const api of [...here, ...there]) await api.get(ME);
    await first?.delete(ME, 204);
    for (const api of here) await api.get(ME, 401);
    for (const api of there) {
      await eventually(
        () => api.call('get', ME, undefined),
        ({ status }) => status === 401,
        LONG_MS,
      );
    }
  });

  it('is not undone by an older token; a token issued later creates a new account', async () => {
    const subject = unique('returner');
    const before = await test.as(subject);
    const id = await idOf(before);
    const unused = await test.as(subject);
    await createBundle(before);
    await before.delete(ME, 204);
    expect(detail(await unused.get(ME, 401))).toBe(
      'The account was deleted or closed after this token was issued. Sign in again: only a token that was issued afterwards counts.',
    );
    expect(await query(`SELECT 1 FROM identities WHERE subject = $1`, [subject])).toEqual([]);
    const later = await eventually(
      async () => (await (await test.as(subject)).call('get', ME)).body,
      (me) => 'id' in me,
      LONG_MS,
    );
    expect(later).not.toMatchObject({ id });
    await before.get(ME, 401);
    expect((await (await test.as(subject)).get('/v1/bundles')).body).toEqual([]);
  });

  it('is refused to a last OWNER, and the error names the organisations', async () => {
    const owner = await test.as(unique('sole-owner'));
    const named = [unique('Alpha'), unique('Beta')];
    for (const name of named) await owner.post('/v1/organisations', { name });
    const refused = await owner.delete(ME, 409);
    expect(refused.body).toEqual({
      code: 'last_owner',
      detail: `An organisation must keep at least one active OWNER. Make another member OWNER of "${named[0]}", "${named[1]}" first, or delete it.`,
    });
    await owner.get(ME);
    const organisations = (await owner.get('/v1/organisations')).body;
    for (const { id } of organisations) await owner.delete(`/v1/organisations/${id}`, 204);
    await owner.delete(ME, 204);
  });

  it('leaves the directory entry to the organisation, with an account that nobody can claim', async () => {
    const { orgId, owner, provider } = await createDirectory(test);
    await vouch(test.dataSource, orgId);
    const subject = unique('employee');
    const entry = (await provider.api.post(`${provider.base}/Users`, newUser({ userName: `${subject}@example.com` })))
      .body;
    const employee = await test.as(subject);
    const userId = await idOf(employee);
    await employee.get(`/v1/organisations/${orgId}`);
    await employee.delete(ME, 204);
    const [row] = await query<{ user_id: string; email: null; claimed_at: null }>(
      `SELECT user_id, email, claimed_at FROM scim_users JOIN users ON users.id = user_id WHERE scim_users.id = $1`,
      [entry.id],
    );
    expect(row).toMatchObject({ email: null, claimed_at: null });
    expect(row?.user_id).not.toBe(userId);
    await provider.api.get(`${provider.base}/Users/${entry.id}`);
    const explained: unknown = (await owner.get(`/v1/organisations/${orgId}/members/${row?.user_id}/role-explanation`))
      .body;
    expect(explained).toMatchObject({ role: 'MEMBER', reason: 'default_role', is_up_to_date: true });
    expect((await owner.post(`/v1/organisations/${orgId}/scim/sync/preview`, {}, 200)).body).toMatchObject({
      joined: 0,
      removed: 0,
    });
    // The next change by the provider links the account that then has the address.
    const again = await eventually(
      async () => (await (await test.as(subject)).call('get', ME)).body,
      (me) => 'id' in me,
      LONG_MS,
    );
    await provider.api.put(
      `${provider.base}/Users/${entry.id}`,
      newUser({ userName: `${subject}@example.com`, displayName: 'Changed' }),
      200,
    );
    expect(await query(`SELECT user_id FROM scim_users WHERE id = $1`, [entry.id])).toEqual([
      { user_id: 'id' in again && again.id },
    ]);
  });

  it('does not undo a refusal: those who left or did not accept stay out, even after signing up again', async () => {
    const { orgId, provider } = await createDirectory(test);
    await vouch(test.dataSource, orgId);
    const subject = unique('leaver');
    const push = (body: object) => provider.api.post(`${provider.base}/Users`, newUser(body));
    const entry = (await push({ userName: `${subject}@example.com` })).body;
    const leaver = await test.as(subject);
    await leaver.delete(`/v1/organisations/${orgId}/members/${await idOf(leaver)}`, 204);
    const others = await createDirectory(test);
    const body = newUser({ userName: `${subject}@example.com` });
    const pending = (await others.provider.api.post(`${others.provider.base}/Users`, body)).body;
    await leaver.delete(ME, 204);

    const entries = [entry.id, pending.id];
    const consents = () =>
      query(
        `SELECT consent, memberships.role FROM scim_users
         LEFT JOIN memberships ON memberships.org_id = scim_users.org_id AND memberships.user_id = scim_users.user_id
         WHERE scim_users.id = ANY ($1) ORDER BY consent`,
        [entries],
      );
    const out = [
      { consent: 'OPTED_OUT', role: null },
      { consent: 'PENDING', role: null },
    ];
    expect(await consents()).toEqual(out);
    for (const { owner, orgId: id } of [others]) await owner.post(`/v1/organisations/${id}/scim/sync`, undefined, 200);
    expect(await consents()).toEqual(out);
    // The provider changes its entries: one before the person returns, one afterwards.
    const changed = newUser({ userName: `${subject}@example.com`, displayName: 'Changed' });
    await others.provider.api.put(`${others.provider.base}/Users/${pending.id}`, changed, 200);
    const again = await eventually(
      async () => (await (await test.as(subject)).call('get', ME)).body,
      (me) => 'id' in me,
      LONG_MS,
    );
    await provider.api.put(`${provider.base}/Users/${entry.id}`, changed, 200);
    expect(again).toMatchObject({ organisations: [] });
    expect(await consents()).toEqual(out);
    expect((await (await test.as(subject)).get('/v1/users/me/invitations')).body).toMatchObject([
      { org_id: others.orgId, status: 'PENDING' },
      { org_id: orgId, status: 'DECLINED' },
    ]);
  });

  it('of someone else is only for platform administrators', async () => {
    const [root, victim] = [await test.as('root'), await test.as(unique('victim'))];
    const id = await idOf(victim);
    await victim.delete(`/v1/users/${id}`, 403);
    await root.delete(`/v1/users/${id}`, 204);
    await victim.get(ME, 401);
    expect((await root.delete(`/v1/users/${id}`, 404)).body).toMatchObject({ code: 'user_not_found' });
    await root.delete(`/v1/users/${newId()}`, 404);
    await root.delete('/v1/users/none', 422);
  });

  it('takes the same number of statements for one organisation and for thirty', async () => {
    const counts: number[] = [];
    for (const size of [1, 30]) {
      const cast = await createCast(test);
      const leaver = await test.as(unique('busy'));
      const userId = await idOf(leaver);
      await query(
        `WITH made AS (INSERT INTO organisations (id, name, slug) SELECT uuid_v7(), 'O', uuid_v7()::text FROM generate_series(1, $2) RETURNING id),
              owners AS (INSERT INTO memberships (org_id, user_id, manual_role, role)
                         SELECT id, $3::uuid, 'OWNER'::organisation_role, 'OWNER'::organisation_role FROM made)
         INSERT INTO memberships (org_id, user_id, manual_role, role) SELECT id, $1, 'ADMIN', 'ADMIN' FROM made`,
        [userId, size, await idOf(cast.owner)],
      );
      await query(
        `INSERT INTO bundles (id, name, slug, owner_id) SELECT uuid_v7(), 'B', 'b-' || n, $1 FROM generate_series(1, $2) AS n`,
        [userId, size],
      );
      for (let n = 0; n < size; n += 10) await createListing(test.dataSource, { ownerId: userId });
      const statements = await statementsOf(test, () => leaver.delete(ME, 204));
      counts.push(statements.length);
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThan(44);
  });

  it.each(Array.from({ length: 5 }, (_, round) => round))(
    'never leaves an organisation without an OWNER if one is created concurrently (round %i)',
    async () => {
      const racer = await test.as(unique('racer'));
      const id = await idOf(racer);
      const [created] = await Promise.all([
        racer.call('post', '/v1/organisations', undefined, { name: unique('Race') }),
        racer.call('delete', ME, undefined),
      ]);
      const [left] = await query<{ alive: boolean; owned: number }>(
        `SELECT deleted_at IS NULL AS alive, (SELECT count(*)::int FROM memberships WHERE user_id = users.id) AS owned
         FROM users WHERE id = $1`,
        [id],
      );
      expect(left).toEqual(
        left?.alive ? { alive: true, owned: created.status === 201 ? 1 : 0 } : { alive: false, owned: 0 },
      );
    },
  );
});
