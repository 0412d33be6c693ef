import { Environment } from '../../src/config/environment';
import { GREATEST_ID, newId } from '../../src/database/id';
import { RowRetention } from '../../src/database/row-retention';
import { inTransaction } from '../../src/database/transaction';
import { Accounts } from '../../src/users/accounts.service';
import { AccountLog } from '../../src/users/account-log/account-log';
import { listAccountLog, MAX_UNKNOWN_PER_MINUTE, RECORD_FAILURE } from '../../src/users/account-log/account-log.sql';
import { retainedEntries } from '../../src/users/account-log/retained-entries';
import { Api } from '../support/api';
import { consoleSession } from '../support/console-session';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createCast, createEndpoint, idOf, unique } from '../support/factories';
import { createLocalAccount, PASSWORD, signedIn } from '../support/local-accounts';
import { PageBrowser } from '../support/page-browser';
import { allPages, nextPage } from '../support/pages';
import { faultsOf } from '../support/faults';

const LOG = '/v1/audit-log';
const OWN_LOG = '/v1/users/me/audit-log';
const DAY_MS = 86_400_000;

describe('The audit log of accounts', () => {
  let test: TestApp;
  let root: Api;
  let rootId: string;
  const clock = new FakeClock(new Date());

  beforeAll(async () => {
    test = await createTestApp({
      clock,
      env: {
        PLATFORM_ADMINS: 'root@example.com',
        TRUSTED_PROXIES: '127.0.0.1/32',
        OAUTH_REGISTRATION: 'open',
        WEBHOOKS_ALLOW_HTTP: 'true',
      },
    });
    root = await test.as('root');
    rootId = await idOf(root);
  });

  afterAll(() => test.close());

  const query = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    test.dataSource.query<Row[]>(sql, parameters);
  const newPerson = async () => {
    const email = `${unique('person')}@example.com`;
    const id = await createLocalAccount(test, email);
    await inTransaction(test.dataSource, (manager) => test.app.get(Accounts).ensureIdentity(manager, PUBLIC_URL, id));
    return { id, email, api: new Api(test.url, test.document, await test.token(id, { email })) };
  };
  const about = async (userId: string) => (await root.get(`${LOG}?user_id=${userId}`)).body;
  const ofObject = async (id: string) => (await root.get(`${LOG}?subject_id=${id}`)).body;
  const actionsAbout = async (userId: string) => (await about(userId)).map(({ action }) => action);
  /** Who gets the events of one type about a thing, as long as they have an endpoint. */
  const receiversOf = async (type: string, id: string) =>
    (
      await query<{ owner_id: string }>(
        `SELECT owner_id FROM events WHERE type = $1 AND data::text LIKE $2 AND org_id IS NULL`,
        [type, `%${id}%`],
      )
    )
      .map(({ owner_id }) => owner_id)
      .sort();

  describe('a sign-in', () => {
    it('is in the log, with the address, for platform administrators and the person alone', async () => {
      const { id, email, api: person } = await newPerson();
      const browser = new PageBrowser(test.url);
      const from = { 'X-Forwarded-For': '203.0.113.7', 'X-Request-Id': 'signing-in' };
      expect((await browser.submit('/sign-in', { email, password: PASSWORD }, from)).status).toBe(303);
      const expected = {
        id: expect.any(String) as string,
        created_at: expect.any(String) as string,
        action: 'session.started',
        actor: { type: 'user', id, name: email.split('@')[0], email },
        user: { id, name: email.split('@')[0], email },
        subject_type: 'session',
        subject_id: null,
        details: { methods: ['pwd'], issuer: null },
        address: '203.0.113.7',
        request_id: 'signing-in',
      };
      expect(await about(id)).toEqual([expected]);
      expect((await person.get(OWN_LOG)).body).toEqual([expected]);
      const stranger = await test.as(unique('stranger'));
      expect((await stranger.get(OWN_LOG)).body).toEqual([]);
      await stranger.get(LOG, 403);
    });

    it('is sent to personal endpoints of the person and of platform administrators, and to no others', async () => {
      const { id, email, api: person } = await newPerson();
      const cast = await createCast(test);
      const subscribed = { event_types: ['session.started' as const, 'access_token.created' as const] };
      const hooks = {
        own: await createEndpoint(person, subscribed),
        admin: await createEndpoint(root, subscribed),
        other: await createEndpoint(cast.outsider, subscribed),
        organisation: await createEndpoint(cast.owner, { ...subscribed, org_id: cast.orgId }),
      };
      await query(
        `INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, 'OWNER', 'OWNER'), ($1, $3, 'OWNER', 'OWNER')`,
        [cast.orgId, id, rootId],
      );
      await signedIn(test, email);
      // Their own events, which come later, tell when everything before has been fanned out.
      for (const api of [person, root, cast.outsider, cast.owner])
        await api.post('/v1/users/me/access-tokens', { name: 'later', scopes: ['catalog:read'] });
      const typesOf = async ({ id: hook }: { id: string }) =>
        (
          await query<{ event_type: string }>(
            `SELECT event_type FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY event_id`,
            [hook],
          )
        ).map(({ event_type }) => event_type);
      const own = ['session.started', 'access_token.created'];
      await eventually(
        async () => [
          (await typesOf(hooks.own)).length,
          (await typesOf(hooks.admin)).length,
          (await typesOf(hooks.other)).length,
        ],
        (counts) => counts.join() === '2,5,1',
        10_000,
      );
      expect(await typesOf(hooks.own)).toEqual(own);
      expect((await typesOf(hooks.admin)).filter((type) => type === 'session.started')).toHaveLength(1);
      expect(await typesOf(hooks.other)).toEqual(['access_token.created']);
      expect(await typesOf(hooks.organisation)).toEqual([]);
      expect(await receiversOf('session.started', id)).toEqual([id, rootId].sort());
    });

    it('is not sent to a closed administrator, nor to one whose address another account has by now', async () => {
      const [former, closed] = [await newPerson(), await newPerson()];
      await query(`UPDATE users SET email = 'root@example.com', email_at = '2020-01-01' WHERE id = $1`, [former.id]);
      await query(`UPDATE users SET is_platform_admin = true, closed_at = now() WHERE id = $1`, [closed.id]);
      const { id, email } = await newPerson();
      await signedIn(test, email);
      expect(await receiversOf('session.started', id)).toEqual([id, rootId].sort());
      await query(`UPDATE users SET email = NULL WHERE id = $1`, [former.id]);
    });

    it('that an administrator makes is sent to them once', async () => {
      const before = await receiversOf('session.started', rootId);
      await consoleSession(test, rootId);
      expect((await receiversOf('session.started', rootId)).length - before.length).toBe(1);
    });
  });

  describe('a failed sign-in', () => {
    const tryPassword = async (email: string) => {
      const browser = new PageBrowser(test.url);
      const typed = { email, password: 'never mind these nine words' };
      return (await browser.submit('/sign-in', typed, { 'X-Forwarded-For': '198.51.100.23' })).status;
    };

    it('of a known account is shown to its owner, with where it came from; it is no event', async () => {
      const { id, email, api: person } = await newPerson();
      expect(await tryPassword(email)).toBe(422);
      // Recorded after the answer, whose time must tell nothing.
      const [entry] = await eventually(
        () => about(id),
        (entries) => entries.length > 0,
        2_000,
      );
      expect(entry).toMatchObject({
        action: 'session.failed',
        actor: { type: 'anonymous', id: null, name: null, email: null },
        user: { id },
        details: { method: 'password' },
        address: '198.51.100.23',
      });
      expect((await person.get(OWN_LOG)).body).toEqual([entry]);
      expect(await query(`SELECT FROM events WHERE type = 'session.failed'`)).toEqual([]);
    });

    it('of nobody known is counted, without what was typed and without where they are', async () => {
      const failures = () =>
        query<{ address: string | null; details: object; row: string }>(
          `SELECT address, details, account_audit_log::text AS row FROM account_audit_log
           WHERE user_id IS NULL AND action = 'session.failed' ORDER BY id`,
        );
      const before = await failures();
      const email = `${unique('nobody')}@example.com`;
      expect(await tryPassword(email)).toBe(422);
      await eventually(failures, ({ length }) => length > before.length, 2_000);
      const browser = new PageBrowser(test.url);
      await browser.submit('/sign-in/recovery', { email, code: 'aaaaa-bbbbb-ccccc' });
      const all = await eventually(failures, ({ length }) => length > before.length + 1, 2_000);
      const added = all.slice(before.length);
      expect(added.map(({ address, details }) => ({ address, details }))).toEqual([
        { address: null, details: { method: 'password' } },
        { address: null, details: { method: 'recovery_code' } },
      ]);
      for (const { row } of added) expect(row).not.toMatch(/nobody|never mind|198\.51|aaaaa/);
    });

    it('of nobody known is recorded 60 times a minute; those of accounts always are', async () => {
      const { id } = await newPerson();
      const log = test.app.get(AccountLog);
      const unknown = { address: '198.51.100.1', details: { method: 'password' as const } };
      const countUnknown = async () =>
        (await query(`SELECT FROM account_audit_log WHERE user_id IS NULL AND actor_type = 'anonymous'`)).length;
      const before = await countUnknown();
      for (let tried = 0; tried < MAX_UNKNOWN_PER_MINUTE + 5; tried++)
        await log.recordFailure(test.dataSource, unknown);
      await log.recordFailure(test.dataSource, { ...unknown, userId: id });
      const recorded = (await countUnknown()) - before;
      expect(recorded).toBeLessThanOrEqual(MAX_UNKNOWN_PER_MINUTE);
      expect(recorded).toBeGreaterThan(MAX_UNKNOWN_PER_MINUTE - 10);
      expect(await actionsAbout(id)).toEqual(['session.failed']);
    });
  });

  it('has personal access tokens, and whether they were revoked or ended with everything else', async () => {
    const { id, email, api: person } = await newPerson();
    const create = async () =>
      (await person.post('/v1/users/me/access-tokens', { name: 'CI', scopes: ['bundles:read', 'catalog:read'] })).body;
    const [first, second] = [await create(), await create()];
    await person.delete(`/v1/users/me/access-tokens/${first.id}`);
    await person.delete(`/v1/users/me/access-tokens/${first.id}`, 404);
    await person.delete('/v1/users/me/sessions');
    const facts = { scopes: ['catalog:read', 'bundles:read'], expires_at: first.expires_at };
    expect(await ofObject(first.id)).toMatchObject([
      { action: 'access_token.revoked', actor: { type: 'user', id }, details: { ...facts, reason: 'revoked' } },
      { action: 'access_token.created', actor: { type: 'user', email }, details: facts },
    ]);
    expect(await ofObject(second.id)).toMatchObject([
      { action: 'access_token.revoked', actor: { type: 'system', id: null }, details: { reason: 'signed_out' } },
      { action: 'access_token.created' },
    ]);
    for (const { id: tokenId } of [first, second])
      expect(await receiversOf('access_token.revoked', tokenId)).toEqual([id, rootId].sort());
    const everything = await query<{ row: string }>(
      `SELECT data::text AS row FROM events UNION ALL SELECT account_audit_log::text FROM account_audit_log`,
    );
    expect(everything.filter(({ row }) => row.includes('typ_') || row.includes(first.token))).toEqual([]);
  });

  it('has closing and opening accounts once, with the tokens that end, and hides which administrator it was', async () => {
    const { id, email, api: person } = await newPerson();
    await person.post('/v1/users/me/access-tokens', { name: 'CI', scopes: ['catalog:read'] });
    for (const action of ['close', 'close', 'reopen', 'reopen'] as const)
      await root.post(`/v1/users/${id}/${action}`, action === 'close' ? {} : undefined, 200);
    expect(await actionsAbout(id)).toEqual([
      'account.reopened',
      'account.closed',
      'access_token.revoked',
      'access_token.created',
    ]);
    const [, closed] = await about(id);
    expect(closed).toMatchObject({ actor: { id: rootId }, subject_id: id, details: { reason: 'closed' } });
    expect(await receiversOf('account.closed', id)).toEqual([id, rootId].sort());
    // What was issued before is not revived.
    await person.get(OWN_LOG, 401);
    // Tokens have whole seconds, and only one from after the opening counts.
    const response = await eventually(
      async () => new Api(test.url, test.document, await test.token(id, { email })).raw('get', OWN_LOG),
      ({ status }) => status === 200,
      2_000,
    );
    const [reopened] = response.body as unknown[];
    expect(reopened).toMatchObject({ action: 'account.reopened', actor: { type: 'user', id: null, email: null } });
  });

  describe('an OAuth client', () => {
    it('is in the log with what changed, and its events go to administrators alone', async () => {
      const { id, client_secret: secret } = (
        await root.post('/v1/oauth-clients', { name: 'Reports', redirect_uris: ['https://reports.example.com/cb'] })
      ).body;
      const path = `/v1/oauth-clients/${id}` as const;
      await root.patch(path, { name: 'Reports 2', redirect_uris: ['https://reports.example.com/callback'] });
      await root.patch(path, { name: 'Reports 2' });
      const rotated = (await root.post(`${path}/rotate-secret`, { grace_seconds: 60 }, 200)).body;
      await root.delete(path);
      const client = { client_id: id, source: 'ADMINISTRATOR' };
      const entries = await ofObject(id);
      expect(entries.map(({ action, details }) => ({ action, details }))).toEqual([
        { action: 'oauth_client.deleted', details: { ...client, name: 'Reports 2' } },
        { action: 'oauth_client.secret_rotated', details: { ...client, name: 'Reports 2', grace_seconds: 60 } },
        {
          action: 'oauth_client.updated',
          details: { ...client, name: 'Reports 2', changed: ['name', 'redirect_uris'] },
        },
        { action: 'oauth_client.created', details: { ...client, name: 'Reports' } },
      ]);
      expect(new Set(entries.map(({ actor, user }) => [actor.id, user.id].join()))).toEqual(new Set([`${rootId},`]));
      expect(await receiversOf('oauth_client.deleted', id)).toEqual([rootId]);
      const stored = await query<{ row: string }>(
        `SELECT data::text AS row FROM events UNION ALL SELECT account_audit_log::text FROM account_audit_log`,
      );
      for (const value of [secret, rotated.client_secret])
        expect(stored.filter(({ row }) => row.includes(String(value)))).toEqual([]);
    });

    it('that registers itself is in the log as done by nobody known', async () => {
      const answer = await fetch(`${test.url}/oauth2/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_name: 'Editor', redirect_uris: ['http://127.0.0.1/cb'] }),
      });
      expect(answer.status).toBe(201);
      const { client_id: id } = (await answer.json()) as { client_id: string };
      expect(await ofObject(id)).toMatchObject([
        {
          action: 'oauth_client.created',
          actor: { type: 'anonymous', id: null },
          user: { id: null },
          details: { name: 'Editor', source: 'REGISTRATION' },
          address: null,
        },
      ]);
      expect(await receiversOf('oauth_client.created', id)).toEqual([rootId]);
    });
  });

  it('keeps the entries of a deleted account, without a name and an address', async () => {
    const { id, email, api: person } = await newPerson();
    await signedIn(test, email);
    await person.delete('/v1/users/me');
    const entries = await about(id);
    const nobody = { id, name: 'a deleted account', email: null };
    expect(entries).toMatchObject([
      { action: 'account.closed', details: { reason: 'deleted' }, user: nobody, actor: { type: 'user', ...nobody } },
      { action: 'session.started', user: nobody, actor: nobody, address: null },
    ]);
    expect(await query(`SELECT FROM account_audit_log WHERE user_id = $1 AND address IS NOT NULL`, [id])).toEqual([]);
  });

  it('is read in pages, by account, object and time, with cursors of its own', async () => {
    const { id, api: person } = await newPerson();
    for (let made = 0; made < 3; made++)
      await person.post('/v1/users/me/access-tokens', { name: 'CI', scopes: ['catalog:read'] });
    const all = await about(id);
    const ids = all.map((entry) => entry.id);
    expect(ids).toEqual([...ids].sort().reverse());
    for (const [api, path] of [
      [root, `${LOG}?user_id=${id.toUpperCase()}&limit=1`],
      [person, `${OWN_LOG}?limit=1`],
    ] as const)
      expect((await allPages(api, path)).map((entry) => entry.id)).toEqual(ids);
    const [latest] = all;
    const at = String(latest?.created_at);
    expect((await root.get(`${LOG}?user_id=${id}&from=${at}&subject_id=${latest?.subject_id}`)).body).toEqual([latest]);
    expect((await person.get(`${OWN_LOG}?to=2026-01-01T00:00:00Z`)).body).toEqual([]);
    const first = await person.get(`${OWN_LOG}?limit=1`);
    const other = await test.as(unique('other'));
    const cursor = new URL(nextPage(first) ?? '', PUBLIC_URL).searchParams.get('cursor');
    expect(faultsOf(await other.get(`${OWN_LOG}?cursor=${cursor}`, 422))).toBeDefined();
    expect(faultsOf(await root.get(`${LOG}?cursor=${cursor}`, 422))).toBeDefined();
  });

  it('is read, bounded and emptied by indexes, however long it is', async () => {
    await query(
      `INSERT INTO account_audit_log (id, action, user_id, actor_type, subject_type, subject_id, details)
       SELECT ('01000000' || substr(md5(n::text), 9, 24))::uuid, 'session.failed',
         CASE WHEN n % 3 > 0 THEN md5((n % 500)::text)::uuid END, CASE WHEN n % 20 = 0 THEN 'anonymous' ELSE 'user' END,
         'session', md5((n % 5000)::text)::uuid, '{}'
       FROM generate_series(1, 40000) AS n`,
    );
    await query(`ANALYZE account_audit_log`);
    const planOf = async (sql: string, parameters: unknown[]) => {
      const lines = await query<Record<string, string>>(`EXPLAIN ${sql}`, parameters);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    };
    const page = ['01000000-0000-0000-0000-000000000000', GREATEST_ID, 31];
    const someone = '00000000-0000-7000-8000-000000000001';
    const [whole, anonymous] = retainedEntries(test.app.get(Environment).limits);
    const plans = {
      account_audit_log_pkey: [
        await planOf(listAccountLog([]), page),
        await planOf(whole?.remove ?? '', [GREATEST_ID, 20]),
      ],
      account_audit_log_user_id_idx: [await planOf(listAccountLog(['user_id']), [...page, someone])],
      account_audit_log_subject_id_idx: [await planOf(listAccountLog(['subject_id']), [...page, someone])],
      account_audit_log_anonymous_idx: [
        await planOf(anonymous?.remove ?? '', [page[0], 20]),
        await planOf(RECORD_FAILURE.sql, [newId(), null, {}, null, null, newId()]),
      ],
    };
    for (const [index, all] of Object.entries(plans)) {
      for (const plan of all) {
        expect(plan).toContain(index);
        expect(plan).not.toContain('Seq Scan on account_audit_log');
      }
    }
    await query(`DELETE FROM account_audit_log WHERE id < '01000001-0000-0000-0000-000000000000'`);
  });

  it('is kept as long as the audit logs of organisations, what nobody signed in caused for 30 days', async () => {
    const { id, email } = await newPerson();
    await new PageBrowser(test.url).submit('/sign-in', { email, password: 'not these nine words at all' });
    await eventually(
      () => about(id),
      (entries) => entries.length > 0,
      2_000,
    );
    await signedIn(test, email);
    clock.advance(31 * DAY_MS);
    await test.app.get(RowRetention).run();
    expect(
      (await query<{ action: string }>(`SELECT action FROM account_audit_log WHERE user_id = $1`, [id])).map(
        ({ action }) => action,
      ),
    ).toEqual(['session.started']);
    clock.advance(700 * DAY_MS);
    await test.app.get(RowRetention).run();
    expect(await query(`SELECT FROM account_audit_log WHERE user_id = $1`, [id])).toEqual([]);
  });
});
