import { inspect } from 'node:util';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import { WebhookSecrets } from '../../src/webhooks/endpoints/webhook-secrets';
import { createTestApp, type TestApp } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Receiver, verified } from '../support/receiver';
import { SENDING } from '../support/sending';
import { allowed, authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, stranger } from '../support/stranger';
import { ToolyardProcess } from '../support/toolyard-process';

const [OLD, NEW] = [Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 8).toString('base64')];
const CALLBACK = 'https://stranger.example/callback';
/** More than two batches of 500. */
const SEEDED = 1_100;
const QUERY = '?key=hunter2';

interface Keys {
  SECRETS_KEY: string;
  SECRETS_KEYS_ACCEPTED: string;
}

/** What the next replica of a phase runs with. */
const STEPS: Record<'before' | 'accepted' | 'switched' | 'after', Keys> = {
  before: { SECRETS_KEY: OLD, SECRETS_KEYS_ACCEPTED: '' },
  accepted: { SECRETS_KEY: OLD, SECRETS_KEYS_ACCEPTED: NEW },
  switched: { SECRETS_KEY: NEW, SECRETS_KEYS_ACCEPTED: OLD },
  after: { SECRETS_KEY: NEW, SECRETS_KEYS_ACCEPTED: '' },
};

/** Replicas behind a balancer: each request goes to the next one that is not being replaced. */
class Replicas {
  private readonly live: { test: TestApp; inFlight: number }[] = [];
  private turn = 0;
  readonly logs: string[] = [];

  private constructor(
    private readonly database: TestDatabase,
    private readonly balancer: Server,
  ) {
    balancer.on('request', (request, response) => this.forward(request, response));
  }

  static async behindBalancer(database: TestDatabase): Promise<Replicas> {
    const balancer = createServer().listen(0, '127.0.0.1');
    await once(balancer, 'listening');
    return new Replicas(database, balancer);
  }

  /** Of the balancer. */
  get url(): string {
    return `http://127.0.0.1:${(this.balancer.address() as AddressInfo).port}`;
  }

  get first(): TestApp {
    const [replica] = this.live;
    if (!replica) throw new Error('There is no replica.');
    return replica.test;
  }

  async add(keys: Keys): Promise<void> {
    const env = { ...SENDING, OAUTH_REGISTRATION: 'open', ...keys };
    this.live.push({ test: await createTestApp({ database: this.database, env }), inFlight: 0 });
  }

  /** Replaces one after the other, each once it has answered everything. */
  async roll(keys: Keys): Promise<void> {
    for (let count = this.live.length; count > 0; count--) {
      await this.add(keys);
      const former = this.live.shift();
      if (former) await this.retire(former);
    }
  }

  async close(): Promise<void> {
    for (const replica of this.live.splice(0)) await this.retire(replica);
    this.balancer.close();
    this.balancer.closeAllConnections();
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const replica = this.live[this.turn++ % this.live.length];
    if (!replica) throw new Error('There is no replica.');
    replica.inFlight += 1;
    response.once('close', () => (replica.inFlight -= 1));
    const { method, url, headers } = request;
    const forwarded = httpRequest(`${replica.test.url}${url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }

  private async retire(replica: { test: TestApp; inFlight: number }): Promise<void> {
    await eventually(
      () => replica.inFlight,
      (count) => count === 0,
      10_000,
    );
    await replica.test.close();
    this.logs.push(...replica.test.log);
  }
}

describe('SECRETS_KEY that changes under load', () => {
  let database: TestDatabase;
  let replicas: Replicas;
  let receiver: Receiver;
  let ada: SignedIn;
  let orgId: string;
  let endpoint: { id: string; secret: string };
  let headers: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    replicas = await Replicas.behindBalancer(database);
    await replicas.add(STEPS.before);
    await replicas.add(STEPS.before);
    receiver = await Receiver.start();
    const test = replicas.first;
    headers = { Authorization: `Bearer ${await test.token('olga')}`, 'Content-Type': 'application/json' };
    orgId = (await created<{ id: string }>('/v1/organisations', { name: 'Constant' })).id;
    endpoint = await created('/v1/webhooks', {
      org_id: orgId,
      target_url: `${receiver.url}/in${QUERY}`,
      event_types: ['organisation.updated'],
      headers: { 'X-Team': 'pagers' },
    });
    // Its former secret signs, too.
    const rotated = await created<{ secret: string }>(`/v1/webhooks/${endpoint.id}/rotate-secret`, {}, 200);
    endpoint.secret = rotated.secret;
    await database.dataSource.query(`UPDATE webhook_lanes SET is_proven = true`);
    // Each request of the browser goes to another replica.
    ada = await signIn(test, 'ada', [replicas]);
    await seed(test);
  });

  afterAll(async () => {
    await replicas.close();
    await receiver.close();
    await database.drop();
  });

  const call = (path: string, init: RequestInit) => fetch(`${replicas.url}${path}`, init);

  async function created<Body>(path: string, body: object, status = 201): Promise<Body> {
    const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  /** Endpoints of somebody else, by SQL. */
  async function seed(test: TestApp): Promise<void> {
    const secrets = test.app.get(WebhookSecrets);
    const ids = (
      await database.dataSource.query<{ id: string }[]>(`SELECT uuid_v7() AS id FROM generate_series(1, $1)`, [SEEDED])
    ).map(({ id }) => id);
    await database.dataSource.query(
      `INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, is_active, encrypted_secret, encrypted_headers, encrypted_query)
       SELECT seeds.id, (SELECT id FROM users ORDER BY id LIMIT 1), 'https://hooks.example.com/in', '{bundle.created}', false,
         secret, headers, query
       FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[]) AS seeds (id, secret, headers, query)`,
      [
        ids,
        ids.map((id) => secrets.encrypt(id, secrets.generate())),
        ids.map((id) => secrets.encryptHeaders(id, { 'X-Team': 'pagers' })),
        ids.map((id) => secrets.encryptQuery(id, QUERY)),
      ],
    );
  }

  /** What clients do all the time; each entry is one round, and throws if anything is refused. */
  function clients(cursor: () => string, person: OAuthPerson): Record<string, () => Promise<void>> {
    const get = async (path: string, authorization = headers.Authorization ?? ''): Promise<void> => {
      const response = await call(path, { headers: { authorization } });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    };
    let renamed = 0;
    return {
      'a token that was issued before': () => get('/v1/users/me?verify_locally=false'),
      'a cursor that was issued before': () => get(`/v1/bundles?limit=1&cursor=${cursor()}`),
      'changes that cause webhooks': async () => {
        const body = JSON.stringify({ name: `Constant ${++renamed}` });
        const response = await call(`/v1/organisations/${orgId}`, { method: 'PATCH', headers, body });
        const text = await response.text();
        if (response.status !== 200) throw new Error(`PATCH: ${response.status} ${text}`);
      },
      'refresh tokens': async () => {
        const tokens = await client.refreshTokenGrant(person.config, person.refreshToken);
        person.refreshToken = tokens.refresh_token ?? person.refreshToken;
        await get('/v1/users/me?verify_locally=false', `Bearer ${tokens.access_token}`);
      },
      'a session of the console, and codes for a client': async () => {
        const shown = await ada.browser.open('/account');
        if (shown.status !== 200) throw new Error(`/account: ${shown.status}`);
        const begun = await begin(person.config, { redirect_uri: CALLBACK, scope: 'organisations:read' });
        const back = await authorize(ada.browser, begun.address);
        if (!back.searchParams.has('code')) throw new Error(`No code: ${back.href}`);
        await finish(person.config, begun, back);
      },
    };
  }

  interface OAuthPerson {
    config: client.Configuration;
    refreshToken: string;
  }

  async function connect(): Promise<OAuthPerson> {
    const config = await stranger(replicas, { redirect_uris: [CALLBACK], client_name: 'Stranger' });
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'organisations:read offline_access' });
    const { refresh_token = '' } = await finish(config, begun, await authorize(ada.browser, begun.address));
    return { config, refreshToken: refresh_token };
  }

  /** The cursor of the second of two pages. */
  async function cursorOf(): Promise<string> {
    const response = await call('/v1/bundles?limit=1', { headers });
    return /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  }

  /** Runs `commands/re-encrypt.js` with the keys of the replicas. */
  async function reEncrypt(...args: string[]) {
    const command = new ToolyardProcess(
      'commands/re-encrypt.js',
      { DATABASE_URL: database.url, ...STEPS.switched },
      args,
    );
    const { code } = await command.exit;
    return { code, stdout: command.stdout, stderr: command.stderr };
  }

  it('fails no delivery, refuses no token, and keeps sessions and cursors', async () => {
    for (const name of ['One', 'Two']) await created('/v1/bundles', { name });
    let cursor = await cursorOf();
    expect(cursor).not.toBe('');
    const person = await connect();
    const television = await stranger(replicas, {
      redirect_uris: [],
      response_types: [],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      client_name: 'Television',
    });
    const device = await client.initiateDeviceAuthorization(television, { scope: 'catalog:read' });
    // Another browser than that of the load: the provider writes its session as a whole, so of two authorizations at the
    // same moment in one browser, one may have to be repeated.
    const { browser: sofa } = await signIn(replicas.first, 'ada', [replicas]);

    const failures: string[] = [];
    const rounds: Record<string, number> = {};
    const ending = new AbortController();
    const actors = clients(() => cursor, person);
    const load = Object.entries(actors).map(async ([name, round]) => {
      // A failure ends the test, and nothing may go on against replicas that are gone.
      while (!ending.signal.aborted && failures.length === 0) {
        await round().catch((error: unknown) => void failures.push(`${name}: ${inspect(error)}`));
        rounds[name] = (rounds[name] ?? 0) + 1;
      }
    });
    /** Lets each client do a few rounds, with whatever the replicas are now. */
    const proceed = async () => {
      const before = { ...rounds };
      await eventually(
        () => Object.keys(actors).map((name) => (rounds[name] ?? 0) - (before[name] ?? 0)),
        (more) => failures.length > 0 || more.every((count) => count >= 3),
        60_000,
      );
      expect(failures).toEqual([]);
    };

    await proceed();
    await replicas.roll(STEPS.accepted);
    await proceed();
    const early = await reEncrypt();
    expect(early).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^2 running process\(es\) still encrypt with/) as string,
    });
    await replicas.roll(STEPS.switched);
    await proceed();

    const before = await reEncrypt('--check');
    expect(before.code).toBe(1);
    expect(before.stdout).toMatch(
      new RegExp(`webhook_endpoints.encrypted_secret: current key 0, former keys ${SEEDED + 1},`),
    );
    const done = await reEncrypt();
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(
      new RegExp(`encrypted_query: current key 0, former keys 1101, encrypted again 1101, unreadable 0`),
    );
    expect(done.stdout).toMatch(/Everything is encrypted with the current SECRETS_KEY\./);
    expect(await reEncrypt('--check')).toMatchObject({ code: 0 });
    await proceed();
    // A code that a person was shown before the change.
    const confirmed = await sofa.open(device.verification_uri_complete ?? '');
    const asked = await sofa.submit(confirmed, { user_code: device.user_code });
    const consent = await allowed(sofa, await sofa.submit(asked, { confirm: 'yes' }));
    expect(consent.text).toContain('The device is connected');

    cursor = await cursorOf();
    await replicas.roll(STEPS.after);
    await proceed();
    ending.abort();
    await Promise.all(load);
    expect(failures).toEqual([]);

    const deliveries = await eventually(
      () =>
        database.dataSource.query<{ status: string; attempt_count: number }[]>(
          `SELECT status, attempt_count FROM webhook_deliveries WHERE endpoint_id = $1`,
          [endpoint.id],
        ),
      (all) => all.every(({ status }) => status === 'SUCCEEDED'),
      20_000,
    );
    expect(deliveries).toHaveLength(rounds['changes that cause webhooks'] ?? 0);
    expect(deliveries.filter(({ attempt_count }) => attempt_count !== 1)).toEqual([]);
    expect(receiver.requests).toHaveLength(deliveries.length);
    for (const webhook of receiver.requests) {
      expect(verified(webhook, endpoint.secret).type).toBe('organisation.updated');
      expect([webhook.path, webhook.headers['x-team']]).toEqual([`/in${QUERY}`, 'pagers']);
    }
    await replicas.close();
    // TypeORM warns of several applications in one process.
    const loud = replicas.logs
      .map((line) => JSON.parse(line) as { level: number; context?: string })
      .filter(({ level, context }) => level >= 40 && context !== 'DataSourceNameRegistry');
    expect(loud).toEqual([]);
    process.stdout.write(`rounds: ${JSON.stringify(rounds)}, deliveries: ${deliveries.length}\n`);
  }, 300_000);
});
