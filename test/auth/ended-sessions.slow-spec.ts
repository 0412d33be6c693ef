import { decodeJwt } from 'jose';
import type * as client from 'openid-client';
import { RowRetention } from '../../src/database/row-retention';
import { createTestApp, type TestApp } from '../support/app';
import { crowding } from '../support/eventually';
import { MetadataHost, ScriptedDns } from '../support/metadata-host';
import { authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, forgetRegistrations, stranger } from '../support/stranger';

const CALLBACK = 'https://stranger.example/callback';

describe('A session that ended by itself', () => {
  let test: TestApp;
  let replica: TestApp;
  let host: MetadataHost;
  /** The session ids of the logout tokens that each client received. */
  const received: Record<string, string[]> = {};

  beforeAll(async () => {
    host = await MetadataHost.start();
    const options = {
      env: { OAUTH_REGISTRATION: 'open', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1/32' },
      dns: new ScriptedDns(),
    };
    test = await createTestApp(options);
    replica = await createTestApp({ ...options, database: test.database });
  });

  beforeEach(() => forgetRegistrations(test));

  afterAll(async () => {
    await replica.close();
    await test.close();
    host.close();
  });

  /** A client that wants to know; @param status what it answers, or nothing at all */
  function clientNamed(name: string, status?: number): Promise<client.Configuration> {
    const sids = (received[name] = [] as string[]);
    const backchannel_logout_uri = host.serve(`/${name}`, () => (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        sids.push(String(decodeJwt(new URLSearchParams(body).get('logout_token') ?? '').sid));
        if (status !== undefined) response.writeHead(status).end();
      });
    });
    return stranger(test, {
      redirect_uris: [CALLBACK],
      client_name: name,
      backchannel_logout_uri,
      backchannel_logout_session_required: true,
    });
  }

  /** @returns the session, as the client knows it */
  async function use(config: client.Configuration, { browser }: SignedIn): Promise<string> {
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'openid organisations:read' });
    const sid = (await finish(config, begun, await authorize(browser, begun.address))).claims()?.sid;
    return typeof sid === 'string' ? sid : '';
  }

  const change = ({ userId }: SignedIn, sql: string) =>
    test.dataSource.query(`UPDATE sessions SET ${sql} WHERE user_id = $1`, [userId]);
  const idle = (person: SignedIn) => change(person, `last_seen_at = now() - interval '12 hours 1 second'`);
  const expired = (person: SignedIn) => change(person, `expires_at = now() - interval '1 second'`);
  const isThere = async ({ userId }: SignedIn) =>
    (await test.dataSource.query<object[]>(`SELECT FROM sessions WHERE user_id = $1`, [userId])).length > 0;
  const retain = () => Promise.all([test, replica].map(({ app }) => app.get(RowRetention).run()));

  it('is removed, whether idle or too old, and its clients are notified once by all replicas together', async () => {
    const config = await clientNamed('one', 200);
    const [unused, tooOld, alive] = [
      await signIn(test, 'unused'),
      await signIn(test, 'old'),
      await signIn(test, 'alive'),
    ];
    const sids = [await use(config, unused), await use(config, tooOld)];
    await use(config, alive);
    await idle(unused);
    await expired(tooOld);
    await retain();
    expect(received.one?.toSorted()).toEqual(sids.toSorted());
    expect([await isThere(unused), await isThere(tooOld), await isThere(alive)]).toEqual([false, false, true]);
    await retain();
    expect(received.one).toHaveLength(2);
  });

  it('does not wait long for a client that does not answer, which keeps no other from its notice', async () => {
    const [silent, broken, good] = [
      await clientNamed('silent'),
      await clientNamed('broken', 500),
      await clientNamed('good', 200),
    ];
    const sids: string[] = [];
    const people: SignedIn[] = [];
    for (const name of ['ann', 'ben', 'cat']) {
      const person = await signIn(test, name);
      await use(silent, person);
      await use(broken, person);
      sids.push(await use(good, person));
      await idle(person);
      people.push(person);
    }
    const began = performance.now();
    await test.app.get(RowRetention).run();
    // One deadline of 2.5 s, not one for each person.
    expect(performance.now() - began).toBeLessThan(5_000 * crowding());
    expect(received.good?.toSorted()).toEqual(sids.toSorted());
    expect([received.silent?.length, received.broken?.length]).toEqual([1, 1]);
    expect(await Promise.all(people.map(isThere))).toEqual([false, false, false]);
    // Applications in one process share Nest's logger.
    const log = [...test.log, ...replica.log];
    const warnings = log.filter((line) => line.includes('was not notified of 3 ended sessions'));
    expect(warnings).toHaveLength(2);
  });

  it('is left to the process that has claimed it, for two minutes, in case that died', async () => {
    const config = await clientNamed('late', 200);
    const person = await signIn(test, 'dora');
    const sid = await use(config, person);
    await idle(person);
    await change(person, `leased_until = now() + interval '1 minute'`);
    await retain();
    expect([received.late, await isThere(person)]).toEqual([[], true]);
    await change(person, `leased_until = now() - interval '1 second'`);
    await retain();
    expect([received.late, await isThere(person)]).toEqual([[sid], false]);
  });
});
