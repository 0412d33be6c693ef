import { createHash, randomBytes } from 'node:crypto';
import { SCOPE_NAMES } from '../../src/auth/scopes';
import { newId } from '../../src/database/id';
import { Notifications } from '../../src/database/notifications';
import { Api } from '../support/api';
import type { PersonalAccessTokenCreated, Scope } from '../support/api-types';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createBundle, createCast, idOf, unique } from '../support/factories';
import { allPages } from '../support/pages';
import { statementsOf } from '../support/statements';

const ME = '/v1/users/me';
const TOKENS = '/v1/users/me/access-tokens';
const CATEGORIES = '/v1/mcp/categories';
const DAY_MS = 86_400_000;
/** How soon a replica must reject a revoked token (issue 13). */
const REVOKED_MS = 1_000;

const clock = new FakeClock(new Date());
let test: TestApp;
let replica: TestApp;

beforeAll(async () => {
  const env = { RUN: 'api', LOG_LEVEL: 'trace', PLATFORM_ADMINS: 'chief@example.com, boss' };
  test = await createTestApp({ env, clock });
  replica = await createTestApp({ env, clock, database: test.database });
  await eventually(
    () => [test, replica].every(({ app }) => app.get(Notifications).connected),
    (connected) => connected,
    REVOKED_MS,
  );
});

afterAll(async () => {
  await replica.close();
  await test.close();
});

const someone = () => test.as(unique('somebody'));
const make = async (api: Api, scopes: Scope[] = ['organisations:read'], fields: object = {}) =>
  (await api.post(TOKENS, { name: 'Laptop', scopes, ...fields })).body;
const withToken = ({ token }: { token: string }, app = test) => new Api(app.url, app.document, token);
const statusOf = async (api: Api, path: string = ME) => (await api.call('get', path, undefined)).status;
const pathOf = ({ id }: { id: string }) => `${TOKENS}/${id}` as const;

/** Rejected by this replica, and soon by the other one, which has it in memory. */
async function expectRevoked(token: PersonalAccessTokenCreated): Promise<void> {
  await eventually(
    () => Promise.all([statusOf(withToken(token)), statusOf(withToken(token, replica))]),
    (statuses) => statuses.every((status) => status === 401),
    REVOKED_MS,
  );
}

describe('A personal access token', () => {
  it('is shown once, with its scopes in one order, and expires after 90 days unless another time is given', async () => {
    const owner = await someone();
    const created = await owner.post(TOKENS, {
      name: 'CI',
      scopes: ['bundles:read', 'catalog:read', 'bundles:read'],
    });
    const { token, ...shown } = created.body;
    expect(token).toMatch(/^typ_[A-Za-z0-9_-]{43}$/);
    expect(created.headers).toMatchObject({ location: pathOf(shown), 'cache-control': 'no-store, no-transform' });
    expect(shown).toEqual({
      id: expect.any(String) as string,
      name: 'CI',
      prefix: token.slice(0, 10),
      scopes: ['catalog:read', 'bundles:read'],
      expires_at: new Date(clock.time.getTime() + 90 * DAY_MS).toISOString(),
      last_used_at: null,
      created_at: expect.any(String) as string,
    });
    expect((await owner.get(pathOf(shown))).body).toEqual(shown);
    expect((await owner.get(TOKENS)).body).toEqual([shown]);
  });

  it('acts for its account, limited to its scopes, and says so', async () => {
    const owner = await someone();
    const account = (await owner.get(ME)).body;
    const token = await make(owner, ['bundles:write', 'organisations:read']);
    expect((await withToken(token).get(ME)).body).toEqual({
      ...account,
      scopes: ['bundles:write', 'organisations:read'],
      sign_in: null,
    });
    expect(account).toMatchObject({ scopes: null, sign_in: { email_state: 'email_verified' } });
    const { id } = await createBundle(withToken(token));
    expect((await withToken(token).get(`/v1/bundles/${id}`, 403)).body).toMatchObject({ code: 'insufficient_scope' });
    await owner.get(`/v1/bundles/${id}`);
    const refused = await withToken(token).get(CATEGORIES, 403);
    expect(refused.headers['www-authenticate']).toContain('scope="catalog:read"');
  });

  it('sees what its account sees', async () => {
    const { orgId, member, outsider } = await createCast(test);
    const path = `/v1/organisations/${orgId}` as const;
    await withToken(await make(member)).get(path);
    await withToken(await make(outsider)).get(path, 404);
  });

  it.each(['bearer', 'BEARER'])('is taken with the scheme %s', async (scheme) => {
    const { token } = await make(await someone());
    await test.anonymous.get(ME, 200, { Authorization: `${scheme} ${token}` });
  });

  it('is found in lists by its owner only, newest first, in pages', async () => {
    const owner = await someone();
    const tokens: string[] = [];
    for (let n = 0; n < 5; n++) tokens.unshift((await make(owner)).id);
    expect((await allPages(owner, `${TOKENS}?limit=2`)).map(({ id }) => id)).toEqual(tokens);
    const stranger = await someone();
    expect((await stranger.get(TOKENS)).body).toEqual([]);
    for (const id of [tokens[0] as string, newId()]) {
      expect((await stranger.get(`${TOKENS}/${id}`, 404)).body).toEqual({
        detail: `Personal access token ${id} was not found.`,
        code: 'personal_access_token_not_found',
      });
      await stranger.delete(`${TOKENS}/${id}`, 404);
    }
    expect((await owner.get(TOKENS)).body).toHaveLength(5);
  });

  it('ends when it expires, although it is remembered', async () => {
    const start = clock.time;
    const token = await make(await someone(), ['organisations:read'], {
      expires_at: new Date(start.getTime() + 30_000).toISOString(),
    });
    await withToken(token).get(ME);
    clock.advance(29_999);
    await withToken(token).get(ME);
    clock.advance(1);
    expect((await withToken(token).get(ME, 401)).body).toEqual({
      detail: 'The personal access token was revoked or has expired, or its account is closed.',
      code: 'invalid_token',
    });
    await withToken(token).get(`${ME}?verify_locally=false`, 401);
    clock.time = start;
  });

  it('records its last use once a minute', async () => {
    const start = clock.time;
    const owner = await someone();
    const token = await make(owner);
    const lastUse = async () => (await owner.get(pathOf(token))).body.last_used_at;
    const calls = async () => {
      for (let n = 0; n < 3; n++) await withToken(token).get(`${ME}?verify_locally=${n === 0}`);
    };
    await calls();
    const first = clock.now().toISOString();
    expect(await lastUse()).toBe(first);
    clock.advance(59_999);
    await calls();
    expect(await lastUse()).toBe(first);
    clock.advance(1);
    await calls();
    expect(await lastUse()).toBe(clock.now().toISOString());
    clock.time = start;
  });

  it('asks the database once a minute, and at once with verify_locally=false', async () => {
    const token = await make(await someone(), ['catalog:read']);
    const look = (path: string) => statementsOf(test, () => withToken(token).get(path as typeof CATEGORIES));
    const lookUps = async (path: string) =>
      (await look(path)).filter(({ sql }) => sql.includes('personal_access_tokens AS tokens')).length;
    expect(await lookUps(CATEGORIES)).toBe(1);
    expect(await lookUps(CATEGORIES)).toBe(0);
    expect(await lookUps(`${CATEGORIES}?verify_locally=false`)).toBe(1);
    clock.advance(60_000);
    expect(await lookUps(CATEGORIES)).toBe(1);
    expect(await lookUps(CATEGORIES)).toBe(0);
  });
});

describe('A personal access token is refused at creation', () => {
  it.each<[string, object, string[], string]>([
    ['without a scope', { scopes: [] }, ['body', 'scopes'], 'value_error'],
    ['with an unknown scope', { scopes: ['catalog:read', 'admin'] }, ['body', 'scopes', '1'], 'enum'],
    ['with offline_access', { scopes: ['offline_access'] }, ['body', 'scopes', '0'], 'enum'],
    ['with scopes as text', { scopes: 'catalog:read' }, ['body', 'scopes'], 'list_type'],
    ['with more scopes than there are', { scopes: Array(9).fill('catalog:read') }, ['body', 'scopes'], 'value_error'],
    ['with a name of white space', { name: ' ' }, ['body', 'name'], 'value_error'],
    ['with a NUL in its name', { name: 'a\0b' }, ['body', 'name'], 'value_error'],
    ['with a lone surrogate in its name', { name: 'a\ud800' }, ['body', 'name'], 'value_error'],
    ['with null for the expiry', { expires_at: null }, ['body', 'expires_at'], 'string_type'],
    ['with no instant for the expiry', { expires_at: 'tomorrow' }, ['body', 'expires_at'], 'datetime_parsing'],
    ['expired', { expires_at: '2020-01-01T00:00:00Z' }, ['body', 'expires_at'], 'value_error'],
    ['for years', { expires_at: '2199-01-01T00:00:00Z' }, ['body', 'expires_at'], 'value_error'],
    ['with another field', { user_id: newId() }, ['body', 'user_id'], 'extra_forbidden'],
  ])('%s', async (_, fields, loc, type) => {
    const body = { name: 'x', scopes: ['catalog:read'], ...fields };
    const refused = await (await someone()).call('post', TOKENS, 422, body);
    expect(refused.body).toMatchObject({ detail: [{ loc, type }] });
  });

  it('for longer than 366 days, to the millisecond', async () => {
    const owner = await someone();
    const after = (ms: number) => new Date(clock.time.getTime() + 366 * DAY_MS + ms).toISOString();
    expect((await make(owner, ['catalog:read'], { expires_at: after(0) })).expires_at).toBe(after(0));
    const refused = await owner.call('post', TOKENS, 422, {
      name: 'x',
      scopes: ['catalog:read'],
      expires_at: after(1),
    });
    expect(refused.body).toMatchObject({ detail: [{ msg: 'Must be at most 366 days from now.' }] });
  });

  it('beyond the 50th, with the number; expired ones do not count', async () => {
    const start = clock.time;
    const owner = await someone();
    const first = await make(owner, ['catalog:read'], { expires_at: new Date(start.getTime() + 1_000).toISOString() });
    for (let n = 1; n < 50; n++) await make(owner);
    const refused = await owner.post(TOKENS, { name: 'One more', scopes: ['catalog:read'] }, 409);
    expect(refused.body).toEqual({
      detail: 'You have 50 personal access tokens, which is the limit. Revoke one first.',
      code: 'personal_access_token_conflict',
    });
    clock.advance(1_000);
    const last = await make(owner);
    await owner.post(TOKENS, { name: 'One more', scopes: ['catalog:read'] }, 409);
    const listed = (await allPages(owner, `${TOKENS}?limit=100`)).map(({ id }) => id);
    expect([listed.length, listed[0], listed.at(-1)]).toEqual([51, last.id, first.id]);
    clock.time = start;
  });

  it('with a scope that the token of the caller lacks, each of which is named', async () => {
    const limited = new Api(
      test.url,
      test.document,
      await test.token(unique('limited'), { scope: 'organisations:admin catalog:read' }),
    );
    const body = { name: 'x', scopes: [...SCOPE_NAMES] };
    const refused = await limited.call('post', TOKENS, 403, body);
    expect(refused.body).toMatchObject({ code: 'insufficient_scope' });
    expect(refused.headers['www-authenticate']).toContain(
      'scope="bundles:read bundles:write organisations:read webhooks:read webhooks:write platform:admin"',
    );
    await make(limited, ['catalog:read', 'organisations:admin']);
  });

  it('by another one, whatever its scopes', async () => {
    const token = await make(await someone(), [...SCOPE_NAMES]);
    const body = { name: 'x', scopes: ['catalog:read'] };
    expect((await withToken(token).call('post', TOKENS, 403, body)).body).toMatchObject({
      code: 'recent_sign_in_required',
    });
    await withToken(token).get(TOKENS);
    await withToken(token).delete(pathOf(token));
    await expectRevoked(token);
  });
});

describe('A personal access token is rejected', () => {
  const invented = `typ_${randomBytes(32).toString('base64url')}`;

  it.each([
    ['cut', invented.slice(0, -1)],
    ['longer', `${invented}A`],
    ['only its mark', 'typ_'],
    ['with a dot, as in a JWT', `typ_${'a'.repeat(20)}.${'a'.repeat(22)}`],
    ['with the length of a header', `typ_${'a'.repeat(8_000)}`],
  ])('if it is malformed: %s', async (_, token) => {
    const refused = await withToken({ token }).get(ME, 401);
    expect(refused.body).toEqual({ detail: 'The personal access token is malformed.', code: 'invalid_token' });
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(refused.headers['www-authenticate']).toContain('scope="organisations:read"');
  });

  it('if it is invented, in capitals, of another kind, or in the query', async () => {
    const { token } = await make(await someone());
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    const others = [invented, token.toUpperCase(), token.slice(0, -1) + last, token.slice(4), `tyb_${token.slice(4)}`];
    for (const other of others) await withToken({ token: other }).get(ME, 401);
    await test.anonymous.get(`${ME}?access_token=${token}`, 401);
    await test.anonymous.get(ME, 401, { Authorization: `Basic ${token}` });
    await withToken({ token }).get(ME);
  });

  it('below the paths of SCIM, which takes tokens of its own only', async () => {
    const { orgId, owner } = await createCast(test);
    const token = await make(owner, [...SCOPE_NAMES]);
    await withToken(token).get(`/v1/organisations/${orgId}/scim/v2/Users`, 401);
  });

  it('everywhere once it is revoked, at once with verify_locally=false', async () => {
    const owner = await someone();
    const [token, other] = [await make(owner), await make(owner)];
    for (const app of [test, replica]) for (const one of [token, other]) await withToken(one, app).get(ME);
    await owner.delete(pathOf(token));
    await withToken(token, replica).get(`${ME}?verify_locally=false`, 401);
    await withToken(token).get(ME, 401);
    await expectRevoked(token);
    for (const app of [test, replica]) await withToken(other, app).get(ME);
    await owner.get(pathOf(token), 404);
    await owner.delete(pathOf(token), 404);
  });

  it('everywhere once it was removed, narrowed or shortened in the database itself', async () => {
    const owner = await someone();
    for (const change of [
      `DELETE FROM personal_access_tokens WHERE id = $1`,
      `UPDATE personal_access_tokens SET expires_at = now() - interval '1 hour' WHERE id = $1`,
      `UPDATE personal_access_tokens SET digest = sha256(digest) WHERE id = $1`,
    ]) {
      const token = await make(owner);
      for (const app of [test, replica]) await withToken(token, app).get(ME);
      await test.dataSource.query(change, [token.id]);
      await expectRevoked(token);
    }
    const token = await make(owner);
    for (const app of [test, replica]) await withToken(token, app).get(ME);
    await test.dataSource.query(`UPDATE personal_access_tokens SET scopes = '{gone:read}' WHERE id = $1`, [token.id]);
    for (const app of [test, replica]) {
      await eventually(
        () => statusOf(withToken(token, app)),
        (status) => status === 403,
        REVOKED_MS,
      );
    }
    expect((await owner.get(pathOf(token))).body.scopes).toEqual([]);
  });

  it.each(['closed', 'deleted'])('everywhere once its account is %s, and is removed', async (end) => {
    const owner = await someone();
    const userId = await idOf(owner);
    const token = await make(owner);
    for (const app of [test, replica]) await withToken(token, app).get(ME);
    if (end === 'deleted') await owner.delete(ME, 204);
    else await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [userId]);
    await withToken(token, replica).get(`${ME}?verify_locally=false`, 401);
    await expectRevoked(token);
    expect(await test.dataSource.query(`SELECT 1 FROM personal_access_tokens WHERE user_id = $1`, [userId])).toEqual(
      [],
    );
  });

  it('on the replica that hears nothing: without LISTEN the database is asked each time', async () => {
    const owner = await someone();
    const token = await make(owner);
    await withToken(token, replica).get(ME);
    const notifications = replica.app.get(Notifications);
    notifications.connected = false;
    try {
      await owner.delete(pathOf(token));
      await withToken(token, replica).get(ME, 401);
      const unheard = await make(owner);
      const statements = await statementsOf(replica, async () => {
        for (let n = 0; n < 3; n++) await withToken(unheard, replica).get(ME);
      });
      expect(statements.filter(({ sql }) => sql.includes('personal_access_tokens AS tokens'))).toHaveLength(3);
    } finally {
      notifications.connected = true;
    }
  });
});

describe('Platform administration with a personal access token', () => {
  const administers = async (api: Api) => (await api.get(ME)).body.is_platform_admin;

  it('follows the address of the account, and needs the scope', async () => {
    const chief = await test.as('chief');
    expect(await administers(chief)).toBe(true);
    expect(await administers(withToken(await make(chief, ['organisations:read', 'platform:admin'])))).toBe(true);
    const without = withToken(await make(chief));
    expect(await administers(without)).toBe(false);
    await without.get('/v1/mcp/imports', 403);
    await withToken(await make(chief, ['platform:admin'])).get('/v1/mcp/imports');
  });

  it('does not follow a `sub`, nor the claim of a token from `npm run token -- --admin`', async () => {
    const attested = new Api(test.url, test.document, await test.token(unique('attested'), { isAdmin: true }));
    for (const api of [await test.as('boss'), attested]) {
      expect(await administers(api)).toBe(true);
      expect(await administers(withToken(await make(api, ['organisations:read', 'platform:admin'])))).toBe(false);
    }
  });

  it('ends when the address belongs to another account', async () => {
    const subject = unique('former-chief');
    const as = async (email: string) => new Api(test.url, test.document, await test.token(subject, { email }));
    const former = await as('chief@example.com');
    const token = await make(former, ['organisations:read', 'platform:admin']);
    expect(await administers(withToken(token))).toBe(true);
    const successor = new Api(
      test.url,
      test.document,
      await test.token(unique('next-chief'), { email: 'chief@example.com' }),
    );
    await successor.get(ME);
    await test.dataSource.query(`UPDATE users SET email_at = now() + interval '1 hour' WHERE id = $1`, [
      await idOf(successor),
    ]);
    expect((await withToken(token).get(`${ME}?verify_locally=false`)).body.is_platform_admin).toBe(false);
  });
});

describe('The secrecy of personal access tokens', () => {
  it('leaves nothing of a token in the database but its digest, and nothing at all in the logs', async () => {
    const owner = await someone();
    const created = await make(owner);
    const { token } = created;
    for (const path of [ME, CATEGORIES, `${ME}?verify_locally=false`]) {
      await withToken(created).call('get', path, undefined);
    }
    const revoked = await make(owner);
    await owner.delete(pathOf(revoked));
    await withToken(revoked).get(ME, 401);
    const bytes = Buffer.from(token.slice('typ_'.length), 'base64url');
    const traces = [token.slice(created.prefix.length), bytes.toString('hex'), Buffer.from(token).toString('hex')];
    const tables = await test.dataSource.query<{ name: string }[]>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const digest = createHash('sha256').update(token).digest('hex');
    let digests = 0;
    for (const { name } of tables) {
      const rows = await test.dataSource.query<{ text: string }[]>(`SELECT t::text AS text FROM ${name} AS t`);
      for (const { text } of rows) {
        expect(traces.filter((trace) => text.includes(trace))).toEqual([]);
        if (text.includes(digest)) digests += 1;
      }
    }
    expect(digests).toBe(1);
    const log = [...test.log, ...replica.log].join('');
    expect(log).toContain(ME);
    expect([...traces, revoked.token.slice(revoked.prefix.length)].filter((trace) => log.includes(trace))).toEqual([]);
  });
});
