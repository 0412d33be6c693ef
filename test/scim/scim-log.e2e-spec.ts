import { firstIdAt, newId, timeOf } from '../../src/database/id';
import { ScimContact } from '../../src/scim/log/scim-contact';
import { RowRetention } from '../../src/database/row-retention';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { type Answer, Api } from '../support/api';
import type { ScimError } from '../support/api-types';
import { type Cast } from '../support/factories';
import { allPages } from '../support/pages';
import { createDirectory, createProvider, newGroup, newUser, patch, type Provider } from '../support/scim';
import { statementsOf } from '../support/statements';
import type { OrganisationPath, Query } from '../support/typed-paths';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('The SCIM provisioning log', () => {
  let test: TestApp;
  let cast: Cast;
  let provider: Provider;
  let path: OrganisationPath<'scim/log'>;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    ({ provider, ...cast } = await createDirectory(test));
    path = `/v1/organisations/${cast.orgId}/scim/log`;
  });

  afterAll(() => test.close());

  const list = async (query: Query = '') => (await cast.admin.get(`${path}${query}`)).body;
  const latest = async () => (await cast.admin.get(`${path}/${(await list('?limit=1'))[0]?.id}`)).body;
  const raw = (method: 'get' | 'post' | 'put', below: string, body?: string | object) => {
    const request = provider.api.raw(method, provider.base + below);
    return body === undefined ? request : request.set('Content-Type', 'application/scim+json').send(body);
  };

  describe('records for every request', () => {
    it('who sent what, and the answer', async () => {
      const user = newUser({ title: 'Countess', shoeSize: 38, password: 'hunter2' });
      const before = Date.now();
      const created = await provider.api.post(`${provider.base}/Users`, user, 201, { 'X-Request-Id': 'of-ada' });
      const { id } = created.body;
      const entry = await latest();
      expect(entry).toEqual({
        id: entry.id,
        created_at: timeOf(entry.id).toISOString(),
        method: 'POST',
        path: '/Users',
        status: 201,
        duration_ms: expect.any(Number) as number,
        token_id: provider.tokenId,
        request_id: 'of-ada',
        resource_type: 'User',
        resource_id: id,
        scim_type: null,
        error: null,
        consent: null,
        ignored: expect.arrayContaining(['shoeSize']) as string[],
        notes: [],
        bulk_entry_id: null,
        bulk_index: null,
        body: { ...user, password: '***' },
      });
      expect(Date.parse(entry.created_at)).toBeGreaterThanOrEqual(before);
      expect(entry.duration_ms).toBeLessThanOrEqual(Date.now() - before);
      expect((await list('?limit=1'))[0]).not.toHaveProperty('body');
    });

    it('names 100 ignored attributes, and says that there were more', async () => {
      const unknown = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`unknown${n}`, n]));
      await provider.api.post(`${provider.base}/Users`, newUser({ ...unknown }), 201);
      const { ignored } = await latest();
      expect(ignored).toHaveLength(101);
      expect(ignored.at(-1)).toBe('…');
    });

    it.each([
      ['get', '/Users?filter=userName%20eq%20%22x%22', 200, 'User', null, null],
      ['get', '/Users/.search', 405, 'User', null, null],
      ['get', `/Users/${newId()}`, 404, 'User', true, null],
      ['get', '/Groups/no-such', 404, 'Group', true, null],
      ['get', '/Users?filter=nonsense', 400, 'User', null, 'invalidFilter'],
      ['get', '/Userz', 404, null, null, null],
      ['put', '/Users', 405, 'User', null, null],
      ['get', '/Schemas', 200, null, null, null],
      ['get', '/Me', 501, null, null, null],
      ['get', '/Users/%zz', 400, 'User', true, 'invalidValue'],
    ] as const)('including %s %s, answered with %i', async (method, below, status, type, hasId, scimType) => {
      const answer: Answer<Partial<ScimError>> = await raw(method, below);
      expect(answer.status).toBe(status);
      const entry = await latest();
      expect(entry).toMatchObject({
        method: method.toUpperCase(),
        path: below,
        status,
        request_id: answer.headers['x-request-id'],
        resource_type: type,
        resource_id: hasId ? (below.split('/').at(-1) ?? null) : null,
        scim_type: scimType,
        error: status < 400 ? null : answer.body.detail,
        body: null,
      });
    });

    it.each([
      ['invalid JSON', '{"userName":', 400, 'invalidSyntax', null],
      ['of an unknown schema', { schemas: ['urn:example:nothing'], userName: 'x' }, 400, null, {}],
      ['not a user', { userName: 7 }, 400, null, { userName: 7 }],
      ['NULs', { userName: 'a\0b', 'c\0d': 'e' }, 400, 'invalidSyntax', { userName: 'a\ufffdb', 'c\ufffdd': 'e' }],
    ])('including one with an invalid body: %s', async (_, body, status, scimType, kept) => {
      await raw('post', '/Users', body);
      const entry = await latest();
      expect(entry.status).toBe(status);
      if (scimType) expect(entry.scim_type).toBe(scimType);
      if (kept === null) expect(entry.body).toBeNull();
      else expect(entry.body).toMatchObject(kept);
    });

    it('including one with a body that is too large or of another type', async () => {
      await raw('post', '/Users', JSON.stringify({ userName: 'x'.repeat(1_100_000) }));
      expect(await latest()).toMatchObject({ status: 413, body: null, error: 'The body is larger than 1 MiB.' });
      await provider.api.raw('post', `${provider.base}/Users`).set('Content-Type', 'text/plain').send('x');
      expect(await latest()).toMatchObject({ status: 415, body: null });
    });

    it('including errors on our side', async () => {
      await test.dataSource.query(`ALTER TABLE scim_users RENAME TO hidden_scim_users`);
      await raw('get', '/Users');
      await test.dataSource.query(`ALTER TABLE hidden_scim_users RENAME TO scim_users`);
      expect(await latest()).toMatchObject({ status: 500, error: expect.stringMatching(/Quote request/) as string });
    });

    it('the resource id in the spelling of the database', async () => {
      const body = (await provider.api.post(`${provider.base}/Users`, newUser())).body;
      const { id } = body;
      await provider.api.get(`${provider.base}/Users/${id.toUpperCase()}`);
      expect(await latest()).toMatchObject({ resource_id: id });
      expect(await list(`?resource_id=${id}`)).toHaveLength(2);
    });

    it('no secrets, and only the beginning of long values', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 3; index++) ids.push(newId());
      const change = patch(
        { op: 'replace', path: 'password', value: 'hunter2' },
        { op: 'add', path: 'title', value: 'x' },
      );
      const body = (await provider.api.post(`${provider.base}/Users`, newUser())).body;
      const user = `${provider.base}/Users/${body.id}` as const;
      await provider.api.call('patch', user, undefined, change);
      expect(JSON.stringify((await latest()).body)).not.toContain('hunter2');
      const quoted = patch({ op: 'replace', path: 'password[value eq "hunter2"]', value: 'x' });
      expect((await provider.api.patch(user, quoted, 400)).text).toContain('hunter2');
      expect(await latest()).toMatchObject({ status: 400, error: expect.stringContaining('"***"') as string });
      await raw('post', '/Groups', newGroup(Array<string>(15_000).fill(newId())));
      const kept = JSON.stringify((await latest()).body);
      expect(kept.length).toBeLessThan(16_384);
      expect(kept).toMatch(/… 14\d{3} more/);
      await raw('get', '/Users?access_token=hunter2');
      expect(await latest()).toMatchObject({ path: '/Users?access_token=***' });
      const stored = await test.dataSource.query<object[]>(
        `SELECT FROM scim_log WHERE to_jsonb(scim_log)::text ~ ('hunter2|' || $1)`,
        [provider.token.slice(8)],
      );
      expect(stored).toEqual([]);
    });

    it('but not rejected ones', async () => {
      const before = (await list('?limit=100')).length;
      await new Api(test.url, test.document, `${provider.token}x`).get(`${provider.base}/Users`, 401);
      await test.anonymous.get(`${provider.base}/Users`, 401);
      expect((await list('?limit=100')).length).toBe(before);
    });

    it('one row, in one statement before the answer is sent', async () => {
      const statements = await statementsOf(test, () => provider.api.get(`${provider.base}/Schemas`));
      expect(statements.map(({ sql }) => sql.trim().split(/\s+/).slice(0, 3).join(' '))).toEqual([
        'SELECT id, org_id,',
        'INSERT INTO scim_log',
      ]);
    });

    it('reliably: if it cannot be written, the answer is 500', async () => {
      await test.dataSource.query(`ALTER TABLE scim_log RENAME TO hidden_scim_log`);
      try {
        await provider.api.get(`${provider.base}/Schemas`, 500);
        await provider.api.get(`${provider.base}/Users/x`, 500);
      } finally {
        await test.dataSource.query(`ALTER TABLE hidden_scim_log RENAME TO scim_log`);
      }
    });

    it('with the change that it is about: neither is there without the other', async () => {
      const { api, base } = provider;
      const { id: user } = (await api.post(`${base}/Users`, newUser())).body;
      const { id: group } = (await api.post(`${base}/Groups`, newGroup())).body;
      const stored = () =>
        test.dataSource.query<object[]>(
          `SELECT id, version, deleted_at FROM scim_users WHERE org_id = $1
           UNION ALL SELECT id, version, NULL FROM scim_groups WHERE org_id = $1 ORDER BY id`,
          [cast.orgId],
        );
      const before = await stored();
      const addition = patch({ op: 'add', path: 'members', value: [{ value: user }] });
      const changes: [method: 'post' | 'put' | 'patch' | 'delete', below: string, body?: object][] = [
        ['post', '/Users', newUser()],
        ['put', `/Users/${user}`, newUser()],
        ['patch', `/Users/${user}`, patch({ op: 'replace', path: 'displayName', value: 'New' })],
        ['delete', `/Users/${user}`],
        ['post', '/Groups', newGroup()],
        ['put', `/Groups/${group}`, newGroup([user ?? ''])],
        ['patch', `/Groups/${group}`, addition],
        ['delete', `/Groups/${group}`],
      ];
      await test.dataSource.query(
        `ALTER TABLE scim_log ADD CONSTRAINT refused CHECK (status >= 400 OR org_id <> '${cast.orgId}') NOT VALID`,
      );
      try {
        for (const [method, below, body] of changes) await api.call(method, `${base}${below}`, 500, body);
      } finally {
        await test.dataSource.query(`ALTER TABLE scim_log DROP CONSTRAINT refused`);
      }
      expect(await stored()).toEqual(before);
      const rows = await list(`?limit=${changes.length}`);
      expect(rows.map(({ method, status }) => [method.toLowerCase(), status]).reverse()).toEqual(
        changes.map(([method]) => [method, 500]),
      );
    });
  });

  describe('can be read', () => {
    let orgId: string;
    let owner: Api;
    let admin: Api;
    let one: Provider;
    let other: Provider;
    let log: OrganisationPath<'scim/log'>;

    beforeAll(async () => {
      const directory = await createDirectory(test);
      ({ orgId, owner, admin, provider: one } = directory);
      other = await createProvider(test, directory);
      log = `/v1/organisations/${orgId}/scim/log`;
      for (const { api, base } of [one, other, one]) {
        await api.get(`${base}/Users`);
        await api.get(`${base}/Users/no-such`, 404);
      }
    });

    const paths = async (query: Query) => (await allPages(admin, `${log}${query}`)).map(({ path }) => path);

    it('newest first, page by page', async () => {
      const all = await allPages(admin, `${log}?limit=4`);
      expect(all.map(({ status }) => status)).toEqual([404, 200, 404, 200, 404, 200]);
      expect(all.map(({ id }) => id)).toEqual([...all.map(({ id }) => id)].sort().reverse());
    });

    it('filtered by failure, resource and token', async () => {
      expect(await paths('?failed=true&limit=2')).toEqual(Array(3).fill('/Users/no-such'));
      expect(await paths('?failed=false&limit=2')).toEqual(Array(3).fill('/Users'));
      expect(await paths('?resource_id=no-such&limit=1')).toEqual(Array(3).fill('/Users/no-such'));
      expect(await paths(`?token_id=${one.tokenId.toUpperCase()}&limit=3`)).toHaveLength(4);
      expect(await paths(`?token_id=${other.tokenId}&failed=yes`)).toEqual(['/Users/no-such']);
      expect(await paths(`?token_id=${newId()}`)).toEqual([]);
      expect(await paths('?resource_id=nobody')).toEqual([]);
    });

    it('from one instant up to another', async () => {
      const past = '2026-05-01T12:00:00.000Z';
      const insert = (time: string) =>
        test.dataSource.query(
          `INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms)
           VALUES ($1, $2, $3, 'x', 'GET', $4, 200, 1)`,
          [firstIdAt(new Date(time)).replace('0000-000000000000', '8000-00000000000a'), orgId, one.tokenId, time],
        );
      for (const time of ['2026-05-01T11:59:59.999Z', past, '2026-05-01T12:00:00.001Z']) await insert(time);
      expect(await paths(`?from=${past}&to=2026-05-02T00:00:00Z`)).toEqual(['2026-05-01T12:00:00.001Z', past]);
      expect(await paths('?to=2026-05-01T14:00:00%2B02:00')).toEqual(['2026-05-01T11:59:59.999Z']);
      const first = (await admin.get(`${log}?to=${past}`)).body[0];
      expect(first?.created_at).toBe('2026-05-01T11:59:59.999Z');
      await test.dataSource.query(`DELETE FROM scim_log WHERE request_id = 'x'`);
    });

    it.each([
      ['?failed=perhaps', 'bool_parsing'],
      ['?token_id=x', 'uuid_parsing'],
      ['?from=yesterday', 'datetime_parsing'],
      ['?limit=0', 'greater_than_equal'],
      ['?cursor=x', 'value_error'],
    ])('but not with %s', async (query, type) => {
      expect((await admin.get(log + query, 422)).body).toMatchObject({ detail: [{ type }] });
    });

    it('for one’s own organisation only', async () => {
      const [entry] = (await admin.get(`${log}?limit=1`)).body;
      await cast.owner.get(log, 404);
      await cast.owner.get(`${log}/${entry?.id}`, 404);
      const crossed = await cast.owner.get(`${path}/${entry?.id}`, 404);
      expect(crossed.body).toMatchObject({ code: 'scim_log_entry_not_found' });
      await owner.get(`${log}/${entry?.id}`);
    });

    it('by indexes, for every filter', async () => {
      await test.dataSource.query(
        `INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms, resource_id)
         SELECT uuid_v7(), $1, uuid_v7(), '', 'GET', '/Users', CASE WHEN number % 100 = 0 THEN 404 ELSE 200 END, 1, uuid_v7()::text
         FROM generate_series(1, 20000) AS number`,
        [newId()],
      );
      await test.dataSource.query(`ANALYZE scim_log`);
      const queries = [
        '',
        '?failed=true',
        '?resource_id=no-such',
        `?token_id=${one.tokenId}`,
        '?from=2026-05-01T00:00:00Z',
      ];
      for (const query of queries) {
        const [statement] = (await statementsOf(test, () => admin.get(log + query))).filter(({ sql }) =>
          sql.includes('FROM scim_log'),
        );
        const plan = await test.dataSource.query<{ 'QUERY PLAN': string }[]>(
          `EXPLAIN ${statement?.sql}`,
          statement?.parameters,
        );
        const text = plan.map((line) => line['QUERY PLAN']).join('\n');
        expect(text).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
        expect(text).not.toMatch(/Seq Scan/);
      }
    });
  });
});

describe('The SCIM provisioning log over time', () => {
  let test: TestApp;
  let clock: FakeClock;

  beforeAll(async () => {
    clock = new FakeClock(new Date());
    test = await createTestApp({ clock });
  });

  afterAll(() => test.close());

  // Access tokens are valid for an hour from now.
  beforeEach(() => {
    clock.time = new Date();
  });

  const past = (orgId: string, ms: number, count: number) =>
    test.dataSource.query(
      `INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms)
       SELECT overlay(uuid_v7()::text PLACING substring($1::text FROM 1 FOR 13) FROM 1 FOR 13)::uuid, $2, $2, '', 'GET', '/', 200, 1
       FROM generate_series(1, $3::int)`,
      [firstIdAt(new Date(clock.now().getTime() - ms)), orgId, count],
    );
  const count = async () =>
    (await test.dataSource.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM scim_log`))[0]?.count;

  it('is kept for 30 days, and then removed in batches by the primary key', async () => {
    const orgId = newId();
    await past(orgId, 30 * DAY_MS + 1, 4_500);
    await past(orgId, 30 * DAY_MS, 10);
    await past(orgId, 0, 5);
    const statements = await statementsOf(test, () => test.app.get(RowRetention).run());
    expect(statements.filter(({ sql }) => sql.includes('DELETE FROM scim_log ')).length).toBe(3);
    expect(await count()).toBe(15);
    await test.app.get(RowRetention).run();
    expect(await count()).toBe(15);
    await past(orgId, 31 * DAY_MS, 3_000);
    await test.dataSource.query(`ANALYZE scim_log`);
    const plan = await test.dataSource.query<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN DELETE FROM scim_log WHERE id IN (SELECT id FROM scim_log WHERE id < uuid_v7() ORDER BY id LIMIT 100)`,
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('scim_log_pkey');
  });

  it('is pruned by one process at a time, and only by workers', async () => {
    const before = await count();
    const idle = await createTestApp({ database: test.database, clock, env: { RUN: 'api' } });
    const holder = test.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      await idle.app.get(RowRetention).run();
      expect(await count()).toBe(before);
      await holder.query(`SELECT pg_advisory_xact_lock(hashtext('row retention'))`);
      await test.app.get(RowRetention).run();
      expect(await count()).toBe(before);
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
      await idle.close();
    }
    await test.app.get(RowRetention).run();
    expect(await count()).toBeLessThan(Number(before));
  });

  it('shows when the identity provider last called, and whether that was too long ago', async () => {
    const { orgId, provider } = await createDirectory(test);
    const contact = () => test.app.get(ScimContact).of(orgId);
    expect(await contact()).toEqual({ lastContactAt: null, isStale: false });
    clock.advance(23 * HOUR_MS);
    expect(await contact()).toEqual({ lastContactAt: null, isStale: false });
    clock.advance(2 * HOUR_MS);
    expect(await contact()).toEqual({ lastContactAt: null, isStale: true });

    await provider.api.get(`${provider.base}/Users`);
    // The token uses the clock of the test, the log that of the machine.
    expect(await contact()).toEqual({ lastContactAt: clock.now(), isStale: false });
    clock.advance(DAY_MS);
    expect((await contact()).isStale).toBe(false);
    clock.advance(1);
    expect((await contact()).isStale).toBe(true);

    await test.dataSource.query(`DELETE FROM scim_tokens WHERE id = $1`, [provider.tokenId]);
    const left = await contact();
    expect(left.isStale).toBe(false);
    expect(left.lastContactAt).not.toBeNull();
  });

  it('reports a silent identity provider even after all its tokens expired', async () => {
    const { orgId, owner } = await createDirectory(test);
    const tokens = `/v1/organisations/${orgId}/scim/tokens` as const;
    const [{ id } = { id: '' }] = (await owner.get(tokens)).body;
    await owner.delete(`${tokens}/${id}`);
    await owner.post(tokens, { name: 'Short', expires_at: new Date(clock.now().getTime() + HOUR_MS).toISOString() });
    clock.advance(48 * HOUR_MS);
    expect(await test.app.get(ScimContact).of(orgId)).toEqual({ lastContactAt: null, isStale: true });
  });
});
