import { createHash } from 'node:crypto';
import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import type { BundleAccessTokenCreated } from '../support/api-types';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createListing, idOf, join, unique } from '../support/factories';
import { allPages } from '../support/pages';
import { statementsOf } from '../support/statements';

const clock = new FakeClock(new Date());
let test: TestApp;
let replica: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', LOG_LEVEL: 'trace' }, clock });
  replica = await createTestApp({ env: { RUN: 'api', LOG_LEVEL: 'trace' }, clock, database: test.database });
  cast = await createCast(test);
});

afterAll(async () => {
  await replica.close();
  await test.close();
});

const someone = () => test.as(unique('somebody'));
const listOf = (bundleId: string) => `/v1/bundles/${bundleId}/access-tokens` as const;
const pathOf = (bundleId: string, id: string) => `${listOf(bundleId)}/${id}` as const;
const make = async (api: Api, bundleId: string, fields: object = {}) =>
  (await api.post(listOf(bundleId), { name: 'CI', ...fields })).body;
/** Calls one of the two processes with a token. */
const withToken = ({ token }: BundleAccessTokenCreated, app = test) => new Api(app.url, app.document, token);
const openings = (bundleId: string) => [
  `/v1/bundles/${bundleId}`,
  `/v1/bundles/${bundleId}/entries`,
  `/v1/bundles/${bundleId}/export?client=cursor`,
];
const eventsOf = (bundleId: string) =>
  test.dataSource.query<{ type: string; org_id: string | null; data: object }[]>(
    `SELECT type, org_id, data FROM events WHERE type LIKE 'bundle.access_token%' AND data->>'bundle_id' = $1 ORDER BY id`,
    [bundleId],
  );

const isLogged = (text: string) => [...test.log, ...replica.log].some((line) => line.includes(text));

async function expectOpen(token: BundleAccessTokenCreated, bundleId: string): Promise<void> {
  for (const app of [test, replica]) for (const path of openings(bundleId)) await withToken(token, app).get(path);
}

async function expectShut(token: BundleAccessTokenCreated, bundleId: string): Promise<void> {
  for (const app of [test, replica]) {
    for (const path of openings(bundleId)) {
      const refused = await withToken(token, app).get(path, 401);
      expect(refused.body).toMatchObject({ code: 'invalid_token' });
      expect(refused.headers['www-authenticate']).toMatch(/^Bearer realm="toolyard", error="invalid_token"/);
    }
  }
}

describe('An access token of a bundle', () => {
  it('is shown once, when it is created; later only its prefix identifies it', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const created = await cast.admin.post(listOf(id), { name: 'CI' });
    const { token, ...listedToken } = created.body;
    expect(token).toMatch(/^tyb_[A-Za-z0-9_-]{43}$/);
    expect(listedToken).toEqual({
      id: listedToken.id,
      name: 'CI',
      prefix: token.slice(0, 10),
      scopes: ['read'],
      created_by: await idOf(cast.admin),
      is_usable: true,
      expires_at: null,
      last_used_at: null,
      created_at: expect.any(String) as string,
    });
    expect(created.headers.location).toBe(pathOf(id, listedToken.id));
    expect(created.headers['cache-control']).toBe('no-store, no-transform');
    for (const path of [listOf(id), pathOf(id, listedToken.id), `/v1/bundles/${id}`]) {
      const { text } = await cast.owner.get(path);
      expect(text).not.toContain(token);
    }
    expect((await cast.owner.get(listOf(id))).body).toEqual([listedToken]);
    expect((await cast.owner.get(pathOf(id, listedToken.id))).body).toEqual(listedToken);
    await cast.owner.delete(pathOf(id, listedToken.id));
    await cast.owner.get(pathOf(id, listedToken.id), 404);
    const missing = {
      detail: `Bundle access token ${listedToken.id} was not found.`,
      code: 'bundle_access_token_not_found',
    };
    expect((await cast.owner.delete(pathOf(id, listedToken.id), 404)).body).toEqual(missing);
    const data = {
      bundle_id: id,
      access_token_id: listedToken.id,
      name: 'CI',
      prefix: listedToken.prefix,
      scopes: ['read'],
      org_id: cast.orgId,
    };
    expect(await eventsOf(id)).toEqual([
      {
        type: 'bundle.access_token_created',
        org_id: cast.orgId,
        data: { ...data, expires_at: null, created_by: listedToken.created_by },
      },
      {
        type: 'bundle.access_token_revoked',
        org_id: cast.orgId,
        data: { ...data, revoked_by: await idOf(cast.owner) },
      },
    ]);
  });

  it('can read its bundle, sees what its creator sees and has none of their rights', async () => {
    const { id } = await createBundle(cast.member, { org_id: cast.orgId });
    const listing_id = await createListing(test.dataSource, { visibility: 'PRIVATE', orgId: cast.orgId });
    await cast.member.post(`/v1/bundles/${id}/entries`, { listing_id });
    await cast.member.put(`/v1/bundles/${id}/follow`);
    const api = withToken(await make(cast.member, id));
    const bundle = (await cast.member.get(`/v1/bundles/${id}`)).body;
    expect((await api.get(`/v1/bundles/${id}`)).body).toEqual({ ...bundle, may_modify: false, is_followed: false });
    const entries = (await cast.member.get(`/v1/bundles/${id}/entries`)).body;
    expect((await api.get(`/v1/bundles/${id.toUpperCase()}/entries`)).body).toEqual(entries);
    expect((await api.get(`/v1/bundles/${id}/entries/${entries[0]?.id}`)).body).toEqual(entries[0]);
    await api.get(`/v1/bundles/${id}/export?client=vscode&format=report`);
    await api.get(`/v1/bundles/${id}/entries/${newId()}`, 404);
    await api.get(`/v1/bundles/${id}/export?client=emacs`, 422);
    await api.get(`/v1/bundles/${id}?verify_locally=false`);
  });

  it('can follow the pages of the bundle’s entries', async () => {
    const { id } = await createBundle(cast.owner);
    for (let n = 0; n < 3; n++) {
      await cast.owner.post(`/v1/bundles/${id}/entries`, { listing_id: await createListing(test.dataSource) });
    }
    const api = withToken(await make(cast.owner, id));
    expect(await allPages(api, `/v1/bundles/${id}/entries?limit=2`)).toHaveLength(3);
  });

  it('expires, and cannot be created with an expiry in the past', async () => {
    const { id } = await createBundle(cast.owner);
    const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
    const token = await make(cast.owner, id, { expires_at });
    const lasting = await make(cast.owner, id);
    expect(token).toMatchObject({ expires_at, is_usable: true });
    await expectOpen(token, id);
    clock.advance(59_999);
    await expectOpen(token, id);
    clock.advance(1);
    await expectShut(token, id);
    await expectOpen(lasting, id);
    expect((await cast.owner.get(pathOf(id, token.id))).body).toMatchObject({ is_usable: false });
    for (const [expiry, type] of [
      [clock.now().toISOString(), 'value_error'],
      ['2020-01-01T00:00:00Z', 'value_error'],
      ['tomorrow', 'datetime_parsing'],
      ['2099-01-01', 'datetime_parsing'],
    ]) {
      const refused = await cast.owner.post(listOf(id), { name: 'CI', expires_at: expiry }, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['body', 'expires_at'], type }] });
    }
    expect((await cast.owner.post(listOf(id), { name: ' ' }, 422)).body).toMatchObject({
      detail: [{ loc: ['body', 'name'] }],
    });
  });

  it('is rejected by every process as soon as its revocation is answered', async () => {
    const { id } = await createBundle(cast.owner);
    for (let round = 0; round < 5; round++) {
      const [token, other] = [await make(cast.owner, id), await make(cast.owner, id)];
      await expectOpen(token, id);
      await cast.owner.delete(pathOf(id, token.id));
      await expectShut(token, id);
      await expectOpen(other, id);
    }
    const token = await make(cast.owner, id);
    await cast.owner.delete(`/v1/bundles/${id}`);
    await expectShut(token, id);
  });

  it('records when it was last used, at most once a minute', async () => {
    const { id } = await createBundle(cast.owner);
    const accessToken = await make(cast.owner, id);
    const lastUse = async () => (await cast.owner.get(pathOf(id, accessToken.id))).body.last_used_at;
    const use = async () => {
      const statements = await statementsOf(test, () => withToken(accessToken).get(`/v1/bundles/${id}`));
      return statements.filter(({ sql }) => sql.includes('UPDATE')).length;
    };
    expect(await use()).toBe(1);
    const first = clock.now().toISOString();
    expect(await lastUse()).toBe(first);
    clock.advance(59_999);
    expect(await use()).toBe(0);
    expect(await lastUse()).toBe(first);
    clock.advance(1);
    expect(await use()).toBe(1);
    expect(await lastUse()).toBe(clock.now().toISOString());
    // A rejected use does not count.
    clock.advance(120_000);
    const before = await lastUse();
    await withToken(accessToken).get(`/v1/bundles/${(await createBundle(cast.owner)).id}`, 401);
    await withToken(accessToken).get('/v1/users/me', 401);
    expect(await lastUse()).toBe(before);
  });
});

describe('The tokens of a user who loses access to the bundle', () => {
  const members = () => `/v1/organisations/${cast.orgId}/members` as const;

  async function memberWithToken() {
    const maker = await someone();
    const userId = await join(cast.owner, cast.orgId, maker);
    // Even for a public bundle: the token is not meant for what everyone can read.
    const { id } = await createBundle(maker, { org_id: cast.orgId, visibility: 'PUBLIC' });
    const token = await make(maker, id);
    const others = await make(cast.admin, id);
    await expectOpen(token, id);
    return { id, maker, userId, token, others };
  }

  const usable = async (id: string, { id: tokenId }: BundleAccessTokenCreated) =>
    (await cast.owner.get(pathOf(id, tokenId))).body.is_usable;

  it('do not work after they have left the organisation, and work again once they are back', async () => {
    const { id, maker, userId, token, others } = await memberWithToken();
    await cast.owner.delete(`${members()}/${userId}`);
    await expectShut(token, id);
    await expectOpen(others, id);
    expect([await usable(id, token), await usable(id, others)]).toEqual([false, true]);
    await join(cast.owner, cast.orgId, maker);
    await expectOpen(token, id);
  });

  it('do not work while the directory has them deactivated', async () => {
    const { id, userId, token, others } = await memberWithToken();
    await test.dataSource.query(
      `INSERT INTO scim_users (id, org_id, user_id, user_name, active) VALUES ($1, $2, $3, $4, false)`,
      [newId(), cast.orgId, userId, unique('deactivated')],
    );
    await cast.owner.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 200);
    await expectShut(token, id);
    await expectOpen(others, id);
    await test.dataSource.query(`UPDATE scim_users SET active = true WHERE user_id = $1`, [userId]);
    await cast.owner.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 200);
    await expectOpen(token, id);
  });

  it('do not work once their account is closed', async () => {
    const { id, userId, token } = await memberWithToken();
    await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [userId]);
    await expectShut(token, id);
    expect(await usable(id, token)).toBe(false);
  });

  it('do not work once they are no longer an editor of a personal bundle, even a public one', async () => {
    const [owner, editor] = [cast.admin, cast.member];
    const { id } = await createBundle(owner, { visibility: 'PUBLIC' });
    const editorId = await idOf(editor);
    await owner.put(`/v1/bundles/${id}/editors/${editorId}`);
    const [own, edited] = [await make(owner, id), await make(editor, id)];
    await expectOpen(edited, id);
    await owner.delete(`/v1/bundles/${id}/editors/${editorId}`);
    await expectShut(edited, id);
    await expectOpen(own, id);
  });
});

describe('Bundle access tokens, tried on every operation', () => {
  const OPENED = [
    'GET /v1/bundles/{bundle_id}',
    'GET /v1/bundles/{bundle_id}/entries',
    'GET /v1/bundles/{bundle_id}/entries/{entry_id}',
    'GET /v1/bundles/{bundle_id}/export',
  ];
  const operations = () =>
    Object.entries(test.document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { 'x-access'?: { rule: string } }>).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method as 'get',
        path,
        rule: operation['x-access']?.rule,
      })),
    );
  const fill = (path: string, bundleId: string) =>
    path
      .replace('{bundle_id}', bundleId)
      .replace('{org_id}', cast.orgId)
      .replace('{category_id}', '1')
      .replace(/\{\w+_id\}/g, newId())
      .replace('{number}', '1')
      .replace(/\{\w+\}/g, 'x');

  it('never open another bundle, whether private, of the same owner, or public', async () => {
    const alice = await someone();
    const owners: [Api, object][] = [
      [cast.owner, { org_id: cast.orgId }],
      [cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' }],
      [cast.member, { org_id: cast.orgId }],
      [cast.owner, {}],
      [alice, { visibility: 'PUBLIC' }],
    ];
    const bundles: { id: string; token: BundleAccessTokenCreated }[] = [];
    for (const [api, fields] of owners) {
      const { id } = await createBundle(api, fields);
      bundles.push({ id, token: await make(api, id) });
    }
    const bundleOperations = operations().filter(({ path, rule }) => path.includes('{bundle_id}') && rule !== 'open');
    expect(bundleOperations.length).toBeGreaterThan(25);
    for (const { id } of bundles) {
      for (const { id: own, token } of bundles) {
        for (const { name, method, path } of bundleOperations) {
          const query = path.endsWith('/export') ? '?client=cursor' : '';
          const { status } = await withToken(token).call(method, fill(path, id) + query, undefined);
          const opened = id === own && OPENED.includes(name);
          const expected = !opened ? 401 : path.includes('{entry_id}') ? 404 : 200;
          expect(`${name} ${status}`).toBe(`${name} ${expected}`);
        }
      }
    }
  });

  it('allow nothing but reading their bundle', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const api = withToken(await make(cast.owner, id));
    const others = operations().filter(({ name, rule }) => rule !== 'open' && !OPENED.includes(name));
    expect(
      operations()
        .filter(({ rule }) => rule === 'bundle-reader-or-token')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(OPENED);
    for (const { name, method, path } of others) {
      const { status } = await api.raw(method, fill(path, id));
      expect(`${name} ${status}`).toBe(`${name} 401`);
    }
    const refused = await api.delete(`/v1/bundles/${id}`, 401);
    expect(refused.body).toEqual({
      detail:
        'This is an access token of a bundle: by this API it can read the bundle, its entries and its export, and nothing else.',
      code: 'invalid_token',
    });
  });

  it('are rejected if cut, changed or sent with another scheme', async () => {
    const { id } = await createBundle(cast.owner, { visibility: 'PUBLIC' });
    const { token } = await make(cast.owner, id);
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of [
      'tyb_',
      token.slice(0, -1),
      token.slice(0, -1) + last,
      `${token}A`,
      token.slice(4),
      `tys_${token.slice(4)}`,
      token.toUpperCase(),
    ]) {
      const { status } = await new Api(test.url, test.document, wrong).call('get', `/v1/bundles/${id}`, undefined);
      expect(`${wrong.length} ${status}`).toBe(`${wrong.length} 401`);
    }
    for (const header of [`bearer ${token}`, `BEARER  ${token} `]) {
      await test.anonymous.get(`/v1/bundles/${id}`, 200, { Authorization: header });
    }
    for (const header of [`Basic ${token}`, `Bearer ${token} x`, token]) {
      await test.anonymous.get(`/v1/bundles/${id}`, 401, { Authorization: header });
    }
    await test.anonymous.get(`/v1/bundles/${id}?access_token=${token}`, 401);
  });
});

describe('The secrecy of bundle access tokens', () => {
  it('leaves nothing of a token in the database but its digest, and nothing at all in the logs', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const accessToken = await make(cast.owner, id);
    await expectOpen(accessToken, id);
    await withToken(accessToken).get(`/v1/bundles/${(await createBundle(cast.owner)).id}`, 401);
    await withToken(accessToken).get('/v1/users/me', 401);
    await cast.owner.delete(pathOf(id, (await make(cast.owner, id)).id));

    const secret = accessToken.token.slice('tyb_'.length);
    const rest = accessToken.token.slice(accessToken.prefix.length);
    const bytes = Buffer.from(secret, 'base64url');
    const traces = [
      rest,
      bytes.toString('hex'),
      bytes.toString('base64'),
      Buffer.from(accessToken.token).toString('hex'),
      Buffer.from(secret).toString('hex'),
      Buffer.from(accessToken.token).toString('base64').slice(0, 40),
    ];
    const tables = await test.dataSource.query<{ name: string }[]>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(30);
    let digests = 0;
    for (const { name } of tables) {
      const rows = await test.dataSource.query<{ text: string }[]>(`SELECT t::text AS text FROM ${name} AS t`);
      for (const { text } of rows) {
        for (const trace of traces) expect(text).not.toContain(trace);
        if (text.includes(createHash('sha256').update(accessToken.token).digest('hex'))) digests += 1;
      }
    }
    expect(digests).toBe(1);
    expect(isLogged('"route":"/v1/bundles/{bundle_id}"')).toBe(true);
    expect(traces.filter(isLogged)).toEqual([]);
  });

  it('holds even if the database fails during a lookup', async () => {
    const { id } = await createBundle(cast.owner);
    const accessToken = await make(cast.owner, id);
    await test.dataSource.query(`ALTER TABLE bundle_editors RENAME TO hidden`);
    try {
      await withToken(accessToken).get(`/v1/bundles/${id}`, 500);
    } finally {
      await test.dataSource.query(`ALTER TABLE hidden RENAME TO bundle_editors`);
    }
    expect(isLogged('bundle_editors')).toBe(true);
    expect(isLogged(accessToken.token.slice(accessToken.prefix.length))).toBe(false);
    expect(isLogged(createHash('sha256').update(accessToken.token).digest('hex'))).toBe(false);
  });
});
