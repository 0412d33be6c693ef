import { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { consoleSession } from '../support/console-session';
import { copyDatabase, createDatabase, type TestDatabase } from '../support/database';
import { createDelivery, createEvent, queueDelivery, queueOf } from '../support/deliveries';
import { newFolder, removeFolders } from '../support/embedded';
import { eventually } from '../support/eventually';
import { type Cast, createBundle, createCast, createEndpoint, idOf } from '../support/factories';
import { Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';
import { runCommand } from '../support/toolyard-process';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
const LONG_MS = 10_000;

describe('After a restore', () => {
  let original: TestDatabase;
  let receiver: Receiver;
  let cast: Cast;
  let endpointId: string;
  let backupEventId: string;
  let ownerToken: string;
  let cookies: Record<string, string>;
  let personalToken: string;
  let scimToken: string;
  let bundleToken: string;
  let bundleId: string;
  const copies: TestDatabase[] = [];
  const serving: TestApp[] = [];

  const command = (url: string, ...args: string[]) =>
    runCommand('after-restore', { DATABASE_URL: url, SECRETS_KEY, DATA_DIR: newFolder() }, ...args);
  const restore = async (): Promise<TestDatabase> => {
    const copy = await copyDatabase(original);
    copies.push(copy);
    return copy;
  };
  const serve = async (copy: TestDatabase): Promise<TestApp> => {
    await copy.dataSource.initialize();
    const test = await createTestApp({ database: copy, env: SENDING });
    serving.push(test);
    return test;
  };
  const apiOf = ({ url, document }: TestApp, token: string) => new Api(url, document, token);
  const scimUsers = () => `/v1/organisations/${cast.orgId}/scim/v2/Users` as const;

  beforeAll(async () => {
    original = await createDatabase();
    receiver = await Receiver.start();
    // Without a worker, so that webhooks are still pending when the backup is made.
    const test = await createTestApp({ database: original, env: { ...SENDING, RUN: 'api' } });
    cast = await createCast(test);
    ownerToken = cast.owner.token ?? '';
    const { dataSource } = original;
    endpointId = (await createEndpoint(cast.owner, { org_id: cast.orgId, target_url: receiver.url })).id;
    backupEventId = await createEvent(dataSource, { orgId: cast.orgId });
    await dataSource.query(`DELETE FROM webhook_new_events`);
    const delivery = await createDelivery(dataSource, endpointId, { eventId: backupEventId, status: 'PENDING' });
    await queueDelivery(dataSource, endpointId, delivery);
    await dataSource.query(`UPDATE webhook_lanes SET wake_at = now()`);
    bundleId = (await createBundle(cast.owner, { org_id: cast.orgId })).id;
    await cast.owner.post(`/v1/webhooks/${endpointId}/recover`, { since: new Date(Date.now() - 60_000).toISOString() });
    const userId = await idOf(cast.owner);
    cookies = await consoleSession(test, userId);
    await dataSource.query(
      `INSERT INTO oauth_artifacts (digest, id, model, account_id, payload, expires_at)
       SELECT decode(md5(model), 'hex'), gen_random_uuid(), model, $1, '\\x00', now() + interval '1 day'
       FROM unnest(ARRAY['Grant', 'RefreshToken', 'AuthorizationCode', 'DeniedToken']) AS model`,
      [userId],
    );
    await dataSource.query(
      `INSERT INTO password_resets (id, user_id, digest, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, '\\x01', now(), now() + interval '1 day')`,
      [userId],
    );
    personalToken = (
      await cast.owner.post('/v1/users/me/access-tokens', {
        name: 'Script',
        scopes: ['organisations:read', 'bundles:write'],
      })
    ).body.token;
    scimToken = (await cast.owner.post(`/v1/organisations/${cast.orgId}/scim/tokens`, { name: 'IdP' })).body.token;
    bundleToken = (await cast.owner.post(`/v1/bundles/${bundleId}/access-tokens`, { name: 'CI' })).body.token;

    await cast.owner.raw('patch', `/v1/bundles/${bundleId}/endpoint`).send({ is_enabled: true }).expect(200);
    const deployment = { name: 'Desk', environment: 'production', kind: 'ENDPOINT' };
    await cast.owner.raw('post', `/v1/bundles/${bundleId}/deployments`).send(deployment).expect(201);
    await dataSource.query(
      `INSERT INTO upstreams (id, digest, url, headers, claimed_until, due_at)
       VALUES (gen_random_uuid(), '\\x01', 'https://mcp.example.com/', '{}', now() + interval '1 day', now() + interval '1 day')`,
    );
    // A session, and the lease of a process that listens.
    await dataSource.query(
      `INSERT INTO upstream_sessions (principal, entry_id, upstream_id, capabilities, revision, session_id)
       SELECT 'user ada', gen_random_uuid(), id, '\\x'::bytea, '2025-11-25', '\\x01'::bytea FROM upstreams
       UNION ALL SELECT 'toolyard', gen_random_uuid(), id, '\\x', '', '\\x02' FROM upstreams`,
    );
    await dataSource.query(`INSERT INTO client_answers (key, body) VALUES (gen_random_uuid(), 'sealed')`);

    await dataSource.query(
      `INSERT INTO secrets_key_holders VALUES (gen_random_uuid(), 'another key', '{another key}', now() - interval '2 minutes')`,
    );

    await test.anonymous.get('/v1/users/me', 200, cookies);
    const refused = await command(original.url);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Other processes are connected to this database: \d+ of "toolyard" from 127\.0\.0\.1/,
    );
    expect(refused.stderr).toContain('1 of "toolyard listener"');
    await test.close();
  });

  afterEach(async () => {
    for (const test of serving.splice(0)) await test.close();
  });

  afterAll(async () => {
    for (const copy of copies) await copy.drop();
    await original.drop();
    await receiver.close();
    removeFolders();
  });

  it('no pending webhook of the backup is sent, its deliveries say why, and new events arrive', async () => {
    const copy = await restore();
    const done = await command(copy.url);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout.split('\n')).toEqual([
      'Webhook deliveries cancelled, with the error "restored": 2',
      'Recoveries of webhook endpoints cancelled: 1',
      'Sessions ended: 1',
      'Codes, refresh tokens and grants of OAuth ended: 3',
      'Links for passwords, invitations to have an account and set-up ended: 1',
      'Sessions with servers of MCP endpoints forgotten: 1',
      'Done. The service can start.',
      '',
    ]);
    const again = await command(copy.url);
    expect(again.stdout.match(/: \d+$/gm)).toEqual(Array(6).fill(': 0'));

    const test = await serve(copy);
    const [left] = await copy.dataSource.query<object[]>(
      `SELECT (SELECT count(*)::int FROM upstream_sessions) AS sessions, (SELECT count(*)::int FROM client_answers) AS answers,
              (SELECT count(*)::int FROM bundle_endpoints WHERE is_enabled) AS endpoints`,
    );
    expect(left).toEqual({ sessions: 0, answers: 0, endpoints: 1 });
    // A worker reads the lists that one had begun to read when the backup was made; here no name has an address.
    await eventually(
      () => copy.dataSource.query<object[]>(`SELECT FROM upstreams WHERE list_error IS NOT NULL`),
      ({ length }) => length === 1,
      LONG_MS,
    );
    // That of the process which serves it.
    expect(await copy.dataSource.query(`SELECT FROM secrets_key_holders`)).toHaveLength(1);
    const owner = apiOf(test, ownerToken);
    const old = (await owner.get(`/v1/webhooks/${endpointId}/deliveries`)).body;
    expect(old.map(({ status, error, next_attempt_at }) => ({ status, error, next_attempt_at }))).toEqual(
      Array(2).fill({ status: 'CANCELLED', error: 'restored', next_attempt_at: null }),
    );
    expect(old.map(({ event_id }) => event_id)).toContain(backupEventId);
    await createBundle(owner, { org_id: cast.orgId });
    const [sent] = await eventually(
      async () => (await owner.get(`/v1/webhooks/${endpointId}/deliveries?status=SUCCEEDED`)).body,
      ({ length }) => length > 0,
      LONG_MS,
    );
    expect(receiver.ids).toEqual([sent?.event_id]);
    expect(await queueOf(copy.dataSource, endpointId)).toEqual([]);

    // On request they are sent.
    const delivery = old.find(({ event_id }) => event_id === backupEventId);
    const path = `/v1/webhooks/${endpointId}/deliveries/${delivery?.id ?? ''}/redeliver` as const;
    expect((await owner.post(path, undefined, 200)).body).toMatchObject({ status: 'PENDING', error: null });
    await eventually(
      () => receiver.ids,
      (ids) => ids.includes(backupEventId),
      LONG_MS,
    );
  });

  it('no session goes on, while tokens of scripts and of the identity provider do', async () => {
    const copy = await restore();
    expect((await command(copy.url)).code).toBe(0);
    const test = await serve(copy);
    await test.anonymous.get('/v1/users/me', 401, cookies);
    await apiOf(test, ownerToken).get('/v1/users/me');
    await apiOf(test, personalToken).get(`/v1/organisations/${cast.orgId}`);
    await apiOf(test, scimToken).get(scimUsers());
    await apiOf(test, bundleToken).get(`/v1/bundles/${bundleId}/export?client=vscode`);
    const kept = await copy.dataSource.query<{ model: string }[]>(`SELECT model FROM oauth_artifacts`);
    expect(kept).toEqual([{ model: 'DeniedToken' }]);
  });

  it('a copy accepts no token of the original, and none of its endpoints is active', async () => {
    const copy = await restore();
    const done = await command(copy.url, '--as-copy');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('Webhook endpoints disabled: 1\nSigning keys removed: 1\n');
    expect(done.stdout).toContain('Personal access tokens revoked: 1\nSCIM tokens revoked: 1\n');
    expect(done.stdout).toContain('Access tokens of bundles revoked: 1\n');
    const test = await serve(copy);
    for (const token of [ownerToken, personalToken]) await apiOf(test, token).get('/v1/users/me', 401);
    await apiOf(test, scimToken).get(scimUsers(), 401);
    await apiOf(test, bundleToken).get(`/v1/bundles/${bundleId}/export?client=vscode`, 401);
    const [endpoint] = await copy.dataSource.query<object[]>(
      `SELECT is_active, disabled_reason FROM webhook_endpoints`,
    );
    expect(endpoint).toEqual({ is_active: false, disabled_reason: 'restored' });
    expect(done.stdout).toContain('MCP endpoints disabled: 1\nDeployments stopped that are MCP endpoints: 1\n');
    const [quiet] = await copy.dataSource.query<object[]>(
      `SELECT (SELECT count(*)::int FROM bundle_endpoints WHERE is_enabled) AS endpoints,
              (SELECT array_agg(DISTINCT status) FROM bundle_deployments) AS statuses,
              (SELECT bool_and(due_at = 'infinity') FROM upstreams) AS put_aside`,
    );
    expect(quiet).toEqual({ endpoints: 0, statuses: ['STOPPED'], put_aside: true });
  });

  it('the command waits for nobody who serves the database, unless it is forced', async () => {
    const copy = await restore();
    const test = await serve(copy);
    const refused = await command(copy.url);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Stop them first, or use --force. Nothing was changed.\n');
    await test.anonymous.get('/v1/users/me', 200, cookies);
    expect(await command(copy.url, '--force')).toMatchObject({ code: 0, stderr: '' });
    await eventually(
      async () => (await fetch(`${test.url}/v1/users/me`, { headers: cookies })).status,
      (status) => status === 401,
      LONG_MS,
    );
  });

  it('rejects unknown options', async () => {
    const refused = await command(original.url, '--copy');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Unknown option '--copy'/);
  });
});
