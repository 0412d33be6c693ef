import request from 'supertest';
import type { Answer } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { type Cast, createCast } from '../support/factories';
import { expectRegistryList } from '../support/registry-schema';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  cast = await createCast(test);
  await (await test.as('chief')).post('/v1/mcp/categories', { name: 'weather' });
});

afterAll(() => test.close());

describe('Former and mistaken registry addresses', () => {
  it('/v0 answers like /v0.1, also for extensions under their former name', async () => {
    const server = { name: 'io.github.alias/one', description: 'A tool server.', version: '1.0.0' };
    const body = { server, category: 'weather', visibility: 'PUBLIC' } as const;
    const { id } = (await cast.owner.post('/v1/mcp/listings', body)).body;
    await cast.owner.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
    const path = '/servers?search=github.alias/';
    const [former, present]: Answer[] = await Promise.all(
      ['/v0', '/v0.1'].map((base) => request(test.url).get(`${base}${path}`)),
    );
    expect(expectRegistryList(former?.body).servers).toHaveLength(1);
    expect(former?.body).toEqual(present?.body);
    const of = `/v1/organisations/${cast.orgId}/registry/v0${path}` as const;
    const own = await request(test.url).get(of).set('Authorization', `Bearer ${cast.member.token}`);
    expect(expectRegistryList(own.body).servers).toHaveLength(1);
    const one = await request(test.url).get('/v0/servers/io.github.alias%2Fone/versions/latest');
    expect([one.status, one.headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect((await request(test.url).get('/v0/servers?limit=0')).body).toMatchObject({
      status: 422,
      title: 'Unprocessable Entity',
    });
    for (const name of ['categories', 'facets', 'bundles']) {
      const [former, present] = await Promise.all(
        ['toolyard', 'com.toolyard'].map((owner) => request(test.url).get(`/v0.1/x/${owner}/${name}`)),
      );
      expect([former?.status, former?.body]).toEqual([200, present?.body]);
    }
    expect((await request(test.url).get('/v0.2/servers')).status).toBe(404);
    expect((await request(test.url).get('/v0x/servers')).status).toBe(404);
  });

  it.each([
    '/v0.1/v0.1/servers?limit=1',
    '/v0.1/v0/servers',
    '/v0.1/servers/v0.1/servers?limit=50&version=latest',
    '/v0.1/servers/v0.1/servers/io.github.acme%2Fweather/versions/latest',
    '/v0/v0.1/servers',
    '/v0.1//v0.1/servers',
  ])('%s is not found, and the error names the base address for clients', async (path) => {
    for (const base of ['', `/v1/organisations/${cast.orgId}/registry`]) {
      const answer: Answer<{ detail: string }> = await request(test.url)
        .get(base + path)
        .set('Authorization', `Bearer ${cast.member.token}`);
      expect([answer.status, answer.body.detail]).toEqual([
        404,
        expect.stringContaining(`configure https://toolyard.test${base} as`),
      ]);
    }
  });
});
