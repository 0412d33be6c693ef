import { Metrics } from '../../src/metrics/metrics';
import { Replicas } from '../../src/operations/replicas.service';
import { PROBES } from '../../src/http/requests/probes';
import { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { createBundle, createCast, idOf, unique } from '../support/factories';
import { createProvider, newUser } from '../support/scim';
import { statementsOf } from '../support/statements';

/** One a minute, so that a slow machine refills nothing that matters. */
const BURST = 6;
const FAILURES = 3;
const SEARCH_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const ENV = {
  RUN: 'api',
  TRUSTED_PROXIES: '127.0.0.1/32',
  LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '1',
  LIMIT_PRINCIPAL_REQUESTS_BURST: `${BURST}`,
  LIMIT_ADDRESS_REQUESTS_PER_MINUTE: '1',
  LIMIT_ADDRESS_REQUESTS_BURST: `${BURST}`,
  LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '1',
  LIMIT_FAILED_AUTHENTICATIONS_BURST: `${FAILURES}`,
};

describe('Limits on requests', () => {
  /** Without limits, to prepare things. */
  let test: TestApp;
  let limited: TestApp;
  let networks = 0;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    limited = await createTestApp({ env: ENV, database: test.database, dataDir: test.dataDir });
  });

  afterAll(async () => {
    await limited.close();
    await test.close();
  });

  const withToken = (token?: string) => new Api(limited.url, limited.document, token);
  const as = async (subject: string) => withToken(await limited.token(subject));
  /** A network that has sent nothing yet. */
  const newNetwork = () => `198.51.${networks >> 8}.${networks++ & 255}`;
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const times = async (count: number, send: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n++) statuses.push((await send()).status);
    return statuses;
  };
  const all = (status: number, count: number) => Array.from({ length: count }, () => status);
  const refusals = async (kind: string) => {
    const text = await limited.app.get(Metrics).text();
    return Number(new RegExp(`toolyard_requests_limited_total\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1]);
  };

  describe('of a principal', () => {
    it('refuse what exceeds the burst, with Retry-After and the fields of the draft, and nobody else', async () => {
      const before = await refusals('principal');
      const ada = await as(unique('ada'));
      expect(await times(BURST, () => ada.call('get', '/v1/users/me'))).toEqual(all(200, BURST));
      const refused = await ada.get('/v1/users/me', 429);
      const { 'retry-after': seconds = '', ratelimit, 'ratelimit-policy': policy } = refused.headers;
      expect(seconds).toMatch(/^\d+$/);
      expect(Number(seconds)).toBeLessThanOrEqual(60);
      expect([ratelimit, policy]).toEqual([`"principal";r=0;t=${seconds}`, `"principal";q=${BURST};w=360`]);
      expect(refused.body).toEqual({
        code: 'rate_limited',
        detail: `You can send 1 requests per minute. Try again in ${seconds} s.`,
      });
      expect((await refusals('principal')) - before).toBe(1);
      await (await as(unique('grace'))).get('/v1/users/me');
    });

    it('count a costly operation, and a long page, as several requests', async () => {
      const ada = await as(unique('ada'));
      const listings = (query: string) => ada.raw('get', `/v1/mcp/listings${query}`);
      expect((await listings('?limit=100')).status).toBe(200);
      // Four of six.
      const refused = await listings('?search=a&limit=31');
      expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
        429,
        expect.stringContaining('This one counts as 4.'),
      ]);
      expect(await times(2, () => listings('?limit=30'))).toEqual([200, 200]);
      const grace = await as(unique('grace'));
      // More than the whole bucket: all that it holds.
      const path = '/v1/bundles/0190a0a0-0000-7000-8000-000000000000/compile';
      expect((await grace.raw('post', path)).status).toBe(404);
      expect((await grace.raw('get', '/v1/users/me')).status).toBe(429);
    });

    it('are announced when little is left', async () => {
      const ada = await as(unique('ada'));
      const announced: (string | undefined)[] = [];
      for (let n = 0; n < BURST; n++) announced.push((await ada.get('/v1/users/me')).headers.ratelimit);
      expect(announced.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
      expect(announced.slice(4).map((field) => field?.replace(/t=\d+$/, 't='))).toEqual([
        '"principal";r=1;t=',
        '"principal";r=0;t=',
      ]);
    });

    it('count an account whatever its credential is, and on every path that authenticates', async () => {
      const subject = unique('ada');
      const { token } = (
        await (
          await test.as(subject)
        ).post('/v1/users/me/access-tokens', { name: 'Script', scopes: ['organisations:read', 'catalog:read'] })
      ).body;
      const ada = await as(subject);
      const statuses = [
        ...(await times(3, () => ada.call('get', '/v1/users/me'))),
        ...(await times(3, () => withToken(token).call('get', '/v1/users/me'))),
      ];
      expect(statuses).toEqual(all(200, BURST));
      await ada.get('/v1/mcp/categories', 429);
      // Before validation, and where only the method is wrong.
      await ada.call('post', '/v1/bundles', 429, {});
      expect((await ada.raw('patch', '/v1/mcp/categories')).status).toBe(429);
      await withToken(token).get('/v1/users/me', 429);
    });

    it('cost no statement to refuse', async () => {
      const ada = await as(unique('ada'));
      await times(BURST, () => ada.call('get', '/v1/users/me'));
      const sent = await statementsOf(limited, () => times(20, () => ada.call('get', '/v1/users/me', 429)));
      expect(sent).toEqual([]);
    });

    it('cost no statement to refuse a credential that is otherwise looked up each time, and name its owner in the log', async () => {
      const ada = await test.as(unique('ada'));
      const userId = await idOf(ada);
      const created = await ada.post('/v1/users/me/access-tokens', { name: 'Script', scopes: ['organisations:read'] });
      const send = () => withToken(created.body.token).raw('get', '/v1/users/me?verify_locally=false');
      await times(BURST, send);
      // Whose it is, the first refusal has to look up.
      expect((await send()).status).toBe(429);
      const lines = limited.log.length;
      const sent = await statementsOf(limited, async () => expect(await times(20, send)).toEqual(all(429, 20)));
      expect(sent).toEqual([]);
      const named = limited.log.slice(lines).filter((line) => line.includes(`"user_id":"${userId}"`));
      // The line of the last one may follow its answer.
      expect(named.length).toBeGreaterThanOrEqual(19);
    });

    it('let a credential that was refused pass once there is room again, and say when it was revoked', async () => {
      const env = { ...ENV, LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '60', LIMIT_PRINCIPAL_REQUESTS_BURST: '1' };
      const app = await createTestApp({ env, database: test.database, dataDir: test.dataDir });
      try {
        const ada = await test.as(unique('ada'));
        const path = '/v1/users/me/access-tokens';
        const { id, token } = (await ada.post(path, { name: 'Script', scopes: ['organisations:read'] })).body;
        const send = () => new Api(app.url, app.document, token).raw('get', '/v1/users/me?verify_locally=false');
        const statusOtherThan = async (...statuses: number[]) => {
          for (;;) {
            const { status } = await send();
            if (!statuses.includes(status)) return status;
          }
        };
        expect(await statusOtherThan(200)).toBe(429);
        expect(await statusOtherThan(429)).toBe(200);
        expect(await statusOtherThan(200)).toBe(429);
        await ada.delete(`${path}/${id}`);
        expect(await statusOtherThan(429)).toBe(401);
      } finally {
        await app.close();
      }
    });

    it('count the tokens of a directory together, in the words of SCIM, without a row in its log', async () => {
      const cast = await createCast(test);
      const tokens = [await createProvider(test, cast), await createProvider(test, cast)];
      const [one, other] = tokens.map(({ token }) => withToken(token));
      const path = `/v1/organisations/${cast.orgId}/scim/v2/Users` as const;
      await one?.post(path, newUser(), 201);
      expect(await times(BURST - 1, async () => (await other?.get(path)) ?? { status: 0 })).toEqual(
        all(200, BURST - 1),
      );
      const rows = async () => (await cast.owner.get(`/v1/organisations/${cast.orgId}/scim/log`)).body.length;
      const before = await rows();
      for (const api of [one, other]) {
        const refused = await api?.get(path, 429);
        expect(refused?.headers['content-type']).toBe('application/scim+json; charset=utf-8');
        expect(refused?.headers.ratelimit).toMatch(/^"principal";r=0;t=\d+$/);
        expect(refused?.body).toMatchObject({ status: '429' });
      }
      expect(await statementsOf(limited, async () => void (await one?.get(path, 429)))).toEqual([]);
      expect(await rows()).toBe(before);
    });

    it('count what a list, a search or a bulk request of SCIM asks for as several requests', async () => {
      const send = async (method: 'get' | 'post', path: string, body?: object) => {
        const { token, base } = await createProvider(test, await createCast(test));
        const provider = withToken(token);
        const { status } = await provider.raw(method, `${base}/${path}`).send(body);
        const left = await times(BURST, () => provider.raw('get', `${base}/ServiceProviderConfig`));
        return [status, left.filter((answered) => answered === 200).length];
      };
      const search = (count: number) => ({ schemas: [SEARCH_URN], count });
      expect(await send('get', 'Users?Count=1000')).toEqual([200, BURST - 5]);
      expect(await send('post', 'Users/.search', search(400))).toEqual([200, BURST - 2]);
      expect(await send('post', '.search', search(1_000))).toEqual([200, BURST - 5]);
      const operations = Array.from({ length: 9 }, () => ({ method: 'DELETE', path: '/Users/nobody' }));
      const bulk = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations };
      expect(await send('post', 'Bulk', bulk)).toEqual([200, BURST - 3]);
    });

    it('refuse a search that asks for more than is left', async () => {
      const { token, base } = await createProvider(test, await createCast(test));
      const provider = withToken(token);
      await times(3, () => provider.raw('get', `${base}/Users`));
      const refused = await provider.raw('post', `${base}/.search`).send({ schemas: [SEARCH_URN], count: 1_000 });
      expect([refused.status, refused.body]).toEqual([
        429,
        expect.objectContaining({ detail: expect.stringContaining('This one counts as 5.') as string }),
      ]);
    });

    it('count the access tokens of a bundle apart from the account that made them', async () => {
      const maker = unique('maker');
      const { id } = await createBundle(await test.as(maker));
      const path = `/v1/bundles/${id}` as const;
      const make = async () => (await (await test.as(maker)).post(`${path}/access-tokens`, { name: 'CI' })).body.token;
      const [one, other] = [withToken(await make()), withToken(await make())];
      expect(await times(BURST - 1, () => one.call('get', path))).toEqual(all(200, BURST - 1));
      await other.get(path);
      await one.get(path, 429);
      await other.get(path, 429);
      await (await as(maker)).get(path);
    });
  });

  describe('of an address', () => {
    const REGISTRY = '/v0.1/servers';

    it('refuse anonymous readers of the registry, IPv6 by the first 64 bits, in the words of the registry', async () => {
      const before = await refusals('address');
      const nets = ['2001:db8:7:1:', '2001:db8:7:2:'];
      let host = 0;
      const read = (net = '') => withToken().call('get', REGISTRY, undefined, undefined, from(`${net}:${++host}`));
      expect(await times(BURST, () => read(nets[0]))).toEqual(all(200, BURST));
      const refused = await read(nets[0]);
      expect(refused.status).toBe(429);
      expect(refused.body).toMatchObject({ status: 429, title: 'Too Many Requests' });
      expect(refused.headers['access-control-expose-headers']).toContain('RateLimit-Policy');
      expect(refused.headers.ratelimit).toBe(`"address";r=0;t=${refused.headers['retry-after']}`);
      expect((await read(nets[1])).status).toBe(200);
      expect((await refusals('address')) - before).toBe(1);
    });

    it('cost no statement to refuse, and hold for one IPv4 address however it is written', async () => {
      const address = newNetwork();
      await times(BURST, () =>
        withToken().call('get', '/.well-known/oauth-protected-resource', 200, undefined, from(address)),
      );
      const sent = await statementsOf(limited, async () => {
        await withToken().get('/v0.1/servers?limit=7', 429, from(`::ffff:${address}`));
        await withToken().get('/v1/users/me', 429, from(`${address}:4711`));
      });
      expect(sent).toEqual([]);
    });

    it('count what nobody authenticates, whatever credential it carries: what is open, and what does not exist', async () => {
      for (const path of [REGISTRY, '/v1/nothing-like-that', '/docs/openapi.json', '/oauth2/jwks']) {
        const address = newNetwork();
        const send = () => withToken('garbage').raw('get', path).set(from(address));
        expect(new Set(await times(BURST, send))).not.toContain(429);
        expect([path, (await send()).status]).toEqual([path, 429]);
      }
    });

    it('never hold for probes, nor for requests of people who are signed in', async () => {
      const address = newNetwork();
      await times(BURST + 1, () => withToken().call('get', REGISTRY, undefined, undefined, from(address)));
      for (const probe of PROBES)
        expect(await times(20, () => withToken().raw('get', probe).set(from(address)))).toEqual(all(200, 20));
      await (await as(unique('ada'))).get('/v1/users/me', 200, from(address));
    });

    it('are answered by a page to people, and as the RFCs say to OAuth clients', async () => {
      const address = newNetwork();
      await times(BURST, () => withToken().raw('get', '/sign-in').set(from(address)));
      const page = await withToken().raw('get', '/sign-in').set(from(address));
      expect([page.status, page.type]).toEqual([429, 'text/html']);
      const token = await withToken().raw('post', '/oauth2/token').set(from(address)).type('form').send({});
      expect([token.status, token.body]).toMatchObject([429, { error: 'temporarily_unavailable' }]);
      expect(token.headers['ratelimit-policy']).toBe(`"address";q=${BURST};w=360`);
    });

    it('leave at most one line a second in the log', async () => {
      const address = newNetwork();
      await times(BURST, () => withToken().call('get', REGISTRY, undefined, undefined, from(address)));
      const begun = performance.now();
      const lines = limited.log.length;
      await times(40, () => withToken().call('get', REGISTRY, 429, undefined, from(address)));
      const seconds = (performance.now() - begun) / 1_000;
      const loud = limited.log.slice(lines).filter((line) => /"level":"(info|warn|error)"/.test(line));
      expect(loud.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    });
  });

  describe('of failed authentications', () => {
    it('refuse further credentials of the network before they are looked up, except those in use', async () => {
      const before = await refusals('failed_authentication');
      const network = from(newNetwork());
      const [ada, grace] = [await as(unique('ada')), await as(unique('grace'))];
      const guess = () =>
        withToken(`typ_${unique('guess')}`).call('get', '/v1/users/me', undefined, undefined, network);
      expect((await guess()).status).toBe(401);
      await ada.get('/v1/users/me', 200, network);
      expect(await times(FAILURES - 1, guess)).toEqual(all(401, FAILURES - 1));
      const sent = await statementsOf(limited, async () => {
        const refused = await guess();
        expect(refused.status).toBe(429);
        expect(refused.headers['ratelimit-policy']).toBe(`"failed-authentication";q=${FAILURES};w=180`);
        expect(refused.headers).not.toHaveProperty('www-authenticate');
      });
      expect(sent).toEqual([]);
      await ada.get('/v1/users/me', 200, network);
      await grace.get('/v1/users/me', 429, network);
      await grace.get('/v1/users/me', 200, from(newNetwork()));
      expect((await refusals('failed_authentication')) - before).toBe(2);
    });

    it('count wrong tokens of SCIM, of bundles, of sessions and of the authorization server together', async () => {
      const cast = await createCast(test);
      const { id } = await createBundle(cast.owner);
      const network = from(newNetwork());
      const ways = [
        () => withToken('tys_wrong').raw('get', `/v1/organisations/${cast.orgId}/scim/v2/Users`),
        () => withToken('tyb_wrong').raw('get', `/v1/bundles/${id}`),
        () => withToken().raw('get', '/v1/users/me').set('Cookie', '__Host-toolyard=wrong'),
        () => withToken('not.a.jwt').raw('get', '/v1/users/me'),
      ];
      const statuses: number[] = [];
      for (const way of ways) statuses.push((await way().set(network)).status);
      expect(statuses).toEqual([...all(401, FAILURES), 429]);
    });

    it('do not count requests without a credential, which try nothing', async () => {
      const network = from(newNetwork());
      expect(await times(BURST, () => withToken().raw('get', '/v1/users/me').set(network))).toEqual(all(401, BURST));
      await (await as(unique('ada'))).get('/v1/users/me', 200, network);
    });
  });

  it('are documented for every operation but probes, by one response for each form of errors', () => {
    const undocumented: string[] = [];
    const responses = new Set<string>();
    for (const [path, item] of Object.entries(limited.document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (!['get', 'put', 'post', 'patch', 'delete'].includes(method)) continue;
        const response = (operation as { responses: Record<string, { $ref?: string }> }).responses['429'];
        if (response?.$ref !== undefined) responses.add(response.$ref);
        if ((response?.$ref === undefined) !== PROBES.has(path)) undocumented.push(`${method} ${path}`);
      }
    }
    expect(undocumented).toEqual([]);
    expect([...responses].map((ref) => ref.split('/').at(-1)).sort()).toEqual([
      'Error429',
      'PageOrProtocolError429',
      'ProtocolError429',
      'RateLimited',
      'RegistryError429',
      'ScimError429',
    ]);
    const described = JSON.stringify(limited.document.components?.responses);
    expect(described.match(/"RateLimit-Policy":/g)).toHaveLength(responses.size);
  });

  // The last one: it changes the size of all buckets.
  it('are shared by the live replicas', async () => {
    await test.app.get(Replicas).join();
    await limited.app.get(Replicas).join();
    const ada = await as(unique('ada'));
    expect(await times(BURST / 2, () => ada.call('get', '/v1/users/me'))).toEqual(all(200, BURST / 2));
    const refused = await ada.get('/v1/users/me', 429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    expect(await idOf(await as(unique('grace')))).toBeDefined();
  });
});
