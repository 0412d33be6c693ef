import { hash } from 'node:crypto';
import { newId } from '../../src/database/id';
import type { ScimSettingsPut } from '../support/api-types';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { Api } from '../support/api';
import { type Cast, createCast, idOf } from '../support/factories';
import { allPages } from '../support/pages';
import { createProvider, type Provider } from '../support/scim';
import { statementsOf } from '../support/statements';
import { crowding } from '../support/eventually';
import type { OrganisationPath } from '../support/typed-paths';

const MINUTE_MS = 60_000;

describe('SCIM tokens', () => {
  let test: TestApp;
  let clock: FakeClock;
  let cast: Cast;
  let path: OrganisationPath<'scim/tokens'>;

  beforeAll(async () => {
    clock = new FakeClock(new Date());
    test = await createTestApp({ clock, env: { RUN: 'api' } });
    cast = await createCast(test);
    path = `/v1/organisations/${cast.orgId}/scim/tokens`;
  });

  afterAll(() => test.close());

  const create = async (fields: object = {}) => (await cast.admin.post(path, { name: 'Okta', ...fields })).body;
  const read = async (id: string) => (await cast.admin.get(`${path}/${id}`)).body;
  const use = (token: string, status: number) =>
    new Api(test.url, test.document, token).get(`/v1/organisations/${cast.orgId}/scim/v2/Schemas`, status);
  const auditOf = (id: string) =>
    test.dataSource.query<Record<string, unknown>[]>(
      `SELECT action, actor_type, actor_id, before, after, request_id FROM audit_log WHERE subject_id = $1 ORDER BY id`,
      [id],
    );

  it('are shown once, and only a digest of them is stored', async () => {
    const made = await cast.admin.post(path, { name: 'Okta' }, 201, { 'X-Request-Id': 'making-it' });
    const { token, ...shown } = made.body;
    expect(token).toMatch(/^tys_[A-Za-z0-9_-]{43}$/);
    expect(shown).toEqual({
      id: shown.id,
      name: 'Okta',
      prefix: token.slice(0, 8),
      created_at: shown.created_at,
      expires_at: null,
      last_used_at: null,
      created_by: await idOf(cast.admin),
    });
    expect(made.headers.location).toBe(`${path}/${shown.id}`);
    expect(await read(shown.id)).toEqual(shown);
    const [row] = await test.dataSource.query<{ digest: Buffer; everything: string }[]>(
      `SELECT digest, to_jsonb(scim_tokens)::text AS everything FROM scim_tokens WHERE id = $1`,
      [shown.id],
    );
    expect(row?.digest.toString('hex')).toBe(hash('sha256', token, 'hex'));
    expect(row?.everything).not.toContain(token.slice(8));
    expect(await auditOf(shown.id)).toEqual([
      {
        action: 'scim_token.created',
        actor_type: 'user',
        actor_id: await idOf(cast.admin),
        before: null,
        after: { name: 'Okta', prefix: shown.prefix, expires_at: null },
        request_id: 'making-it',
      },
    ]);
    expect(test.log.join('')).not.toContain(token.slice(8));
  });

  it('are listed newest first, page by page, without themselves', async () => {
    const other = await createCast(test);
    const list = `/v1/organisations/${other.orgId}/scim/tokens` as const;
    const made: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      made.unshift((await other.owner.post(list, { name })).body.id);
    }
    const rows = await allPages(other.admin, `${list}?limit=2`);
    expect(rows.map(({ id }) => id)).toEqual(made);
    expect(rows.filter((row) => 'token' in row)).toEqual([]);
  });

  it.each([
    [{}, ['body', 'name'], 'missing'],
    [{ name: ' ' }, ['body', 'name'], 'value_error'],
    [{ name: 'x'.repeat(201) }, ['body', 'name'], 'string_too_long'],
    [{ name: 'x', expires_at: 'tomorrow' }, ['body', 'expires_at'], 'datetime_parsing'],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, ['body', 'expires_at'], 'value_error'],
    [{ name: 'x', scopes: [] }, ['body', 'scopes'], 'extra_forbidden'],
  ])('are refused with %j', async (body, loc, type) => {
    const answer = (await cast.admin.post(path, body, 422)).body;
    expect(answer).toMatchObject({ detail: [{ loc, type }] });
  });

  it('are refused when they would expire at this very moment', async () => {
    await cast.admin.post(path, { name: 'x', expires_at: clock.now().toISOString() }, 422);
    await create({ expires_at: new Date(clock.now().getTime() + 1).toISOString() });
  });

  it('may live side by side, and one that is revoked is refused by the next request, on every replica', async () => {
    const [one, two] = [await create(), await create()];
    const replica = await createTestApp({ database: test.database, clock });
    try {
      const there = new Api(replica.url, replica.document, one.token);
      const schemas = `/v1/organisations/${cast.orgId}/scim/v2/Schemas` as const;
      await use(one.token, 200);
      await use(two.token, 200);
      await there.get(schemas);
      await cast.owner.delete(`${path}/${one.id}`);
      await use(one.token, 401);
      await there.get(schemas, 401);
      await use(two.token, 200);
    } finally {
      await replica.close();
    }
    await cast.owner.get(`${path}/${one.id}`, 404);
    const again = await cast.owner.delete(`${path}/${one.id}`, 404);
    expect(again.body).toMatchObject({ code: 'scim_token_not_found' });
    expect((await auditOf(one.id)).map(({ action, before }) => [action, before])).toEqual([
      ['scim_token.created', null],
      ['scim_token.revoked', { name: 'Okta', prefix: one.prefix, expires_at: null }],
    ]);
  });

  it('are refused from the moment on at which they expire', async () => {
    const expiresAt = new Date(clock.now().getTime() + MINUTE_MS);
    const { id, token } = await create({ expires_at: expiresAt.toISOString() });
    clock.time = new Date(expiresAt.getTime() - 1);
    await use(token, 200);
    clock.advance(1);
    const refused = await use(token, 401);
    expect(refused.headers['www-authenticate']).toContain('error_description="This SCIM token has expired."');
    expect(await read(id)).toMatchObject({ expires_at: expiresAt.toISOString() });
    // Whoever looks for the reason why nothing arrives any more finds it.
    const [entry] = (await cast.admin.get(`/v1/organisations/${cast.orgId}/scim/log?token_id=${id}&limit=1`)).body;
    expect(entry).toMatchObject({ status: 401, error: 'This SCIM token has expired.', token_id: id });
  });

  it('are made by OWNERs only where a mapping may give OWNER, as their holder decides who is in a group', async () => {
    const other = await createCast(test);
    const base = `/v1/organisations/${other.orgId}/scim` as const;
    const settings: ScimSettingsPut = {
      default_role: 'MEMBER',
      allow_owner_mapping: true,
      last_owner_policy: 'retain',
    };
    await other.admin.post(`${base}/tokens`, { name: 'Before' });
    await other.owner.put(`${base}/settings`, settings, 200);
    const refused = await other.admin.post(`${base}/tokens`, { name: 'Okta' }, 403);
    expect(refused.body).toMatchObject({ code: 'insufficient_role' });
    await other.owner.post(`${base}/tokens`, { name: 'Okta' });
  });

  it('say when they were used, to the minute, and cost no write in between', async () => {
    const { id, token } = await create();
    const writes = async () =>
      (await statementsOf(test, () => use(token, 200))).filter(({ sql }) => sql.includes('UPDATE scim_tokens')).length;
    const first = clock.now();
    expect(await writes()).toBe(1);
    expect((await read(id)).last_used_at).toBe(first.toISOString());
    clock.advance(MINUTE_MS - 1);
    expect(await writes()).toBe(0);
    expect((await read(id)).last_used_at).toBe(first.toISOString());
    clock.advance(1);
    expect(await writes()).toBe(1);
    expect((await read(id)).last_used_at).toBe(clock.now().toISOString());
  });

  it('never wait for one another when many are to say that they were used', async () => {
    const { id, token } = await create();
    const holder = test.dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query(`SELECT FROM scim_tokens WHERE id = $1 FOR UPDATE`, [id]);
      const patience = new Promise((_, reject) =>
        setTimeout(reject, 5_000 * crowding(), new Error('It waited.')).unref(),
      );
      await Promise.race([use(token, 200), patience]);
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    expect((await read(id)).last_used_at).toBeNull();
    await Promise.all(Array.from({ length: 20 }, () => use(token, 200)));
    expect((await read(id)).last_used_at).toBe(clock.now().toISOString());
  });

  describe('let nobody in', () => {
    let provider: Provider;
    let elsewhere: Provider;

    beforeAll(async () => {
      provider = await createProvider(test, cast);
      elsewhere = await createProvider(test, await createCast(test));
    });

    const ask = async (orgId: string, authorization: string | undefined) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
      return fetch(`${test.url}/v1/organisations/${orgId}/scim/v2/Users`, { headers });
    };

    it.each([
      ['without one', () => undefined, 'This operation requires a SCIM token'],
      ['with an empty one', () => 'Bearer ', 'The SCIM token is malformed.'],
      ['with another scheme', () => `Basic ${provider.token}`, 'This operation requires a SCIM token'],
      ['with one that is cut off', () => `Bearer ${provider.token.slice(0, -1)}`, 'not a SCIM token'],
      ['with one that nobody made', () => `Bearer tys_${'x'.repeat(43)}`, 'does not belong'],
      ['with one in other letters', () => `Bearer ${provider.token.toUpperCase()}`, 'not a SCIM token'],
      ['with one of another organisation', () => `Bearer ${elsewhere.token}`, 'does not belong'],
      ['with an access token', () => `Bearer ${cast.owner.token}`, 'not a SCIM token'],
    ])('%s', async (_, authorization, reason) => {
      const answer = await ask(cast.orgId, authorization());
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="toolyard scim"/);
      expect(await answer.json()).toMatchObject({ status: '401', detail: expect.stringContaining(reason) as string });
    });

    it('and tell of another organisation what they tell of none', async () => {
      const foreign = await ask(elsewhere.orgId, `Bearer ${provider.token}`);
      const nowhere = await ask(newId(), `Bearer ${provider.token}`);
      expect(foreign.status).toBe(401);
      expect(await foreign.text()).toBe(await nowhere.text());
      for (const id of ['not-a-uuid', '%zz', `${cast.orgId}%00`, `${cast.orgId}x`]) {
        expect((await ask(id, `Bearer ${provider.token}`)).status).toBe(401);
      }
    });

    it('but whoever writes the id of the organisation in capitals', async () => {
      expect((await ask(cast.orgId.toUpperCase(), `Bearer ${provider.token}`)).status).toBe(200);
      expect((await ask(cast.orgId, `bearer ${provider.token}`)).status).toBe(200);
    });

    it('to any other part of the service', async () => {
      for (const other of ['/v1/users/me', `/v1/organisations/${cast.orgId}`, path, path.replace('tokens', 'log')]) {
        await provider.api.get(other, 401);
      }
    });

    it('and are gone with their organisation', async () => {
      await test.dataSource.query(`DELETE FROM organisations WHERE id = $1`, [elsewhere.orgId]);
      expect((await ask(elsewhere.orgId, `Bearer ${elsewhere.token}`)).status).toBe(401);
    });
  });
});
