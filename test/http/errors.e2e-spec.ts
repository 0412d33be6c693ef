import { newId } from '../../src/database/id';
import { RawRequest, send as sendRaw } from '../support/answers';
import { createTestApp, TestApp } from '../support/app';
import { createCast, createListing } from '../support/factories';
import { eventually } from '../support/eventually';
import { DatabaseProxy } from '../support/proxy';

const NOWHERE = newId();

describe('Errors', () => {
  let test: TestApp;
  let token: string;

  beforeAll(async () => {
    test = await createTestApp();
    token = await test.token('alice');
  });

  afterAll(async () => {
    await test.close();
    expect(test.log.join('')).not.toContain(token.split('.')[2]);
  });

  const send = (path: string, request?: RawRequest) => sendRaw(test.url + path, request);

  describe('of an unknown path', () => {
    it.each([
      '/v1',
      '/v1/',
      '/v1/nothing',
      '/v1/bundles/a/b/c/d',
      '/v1/users/me/nothing',
      '/nothing',
      '/healthz/nothing',
      '/.well-known/nothing',
      '/oauth2/nothing',
      '/docs/nothing',
      '/v2/webhooks',
      '//v1/webhooks',
    ])('are 404 not_found with a token and without: %s', async (path) => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        for (const bearer of [token, undefined]) {
          const answer = await send(path, { method, token: bearer });
          expect(answer.status).toBe(404);
          expect(answer.body).toMatchObject({ code: 'not_found' });
        }
      }
    });

    it('name the path without its query', async () => {
      const { body } = await send('/v1/nothing?secret=1');
      expect(body).toMatchObject({ detail: '/v1/nothing does not exist; see /docs.' });
    });
  });

  describe('of a method that the path does not support', () => {
    it.each([
      ['PUT', '/v1/mcp/categories', 'GET, HEAD, POST'],
      ['DELETE', '/v1/webhooks', 'GET, HEAD, POST'],
      ['PUT', `/v1/bundles/${NOWHERE}`, 'DELETE, GET, HEAD, PATCH'],
      ['GET', `/v1/organisations/${NOWHERE}/scim/sync`, 'POST'],
      ['OPTIONS', `/v1/webhooks/${NOWHERE}`, 'DELETE, GET, HEAD, PATCH'],
      ['PROPFIND', '/v1/users/me', 'DELETE, GET, HEAD'],
      ['POST', '/healthz', 'GET, HEAD'],
      ['PATCH', '/oauth2/jwks', 'GET, HEAD'],
    ])('are 405 with the supported methods: %s %s', async (method, path, allow) => {
      const answer = await send(path, { method, token });
      expect(answer.status).toBe(405);
      expect(answer.body).toMatchObject({ code: 'method_not_allowed' });
      expect(answer.headers.get('allow')).toBe(allow);
    });

    it.each([
      ['PUT', '/v1/mcp/categories', 401],
      ['DELETE', '/v1/webhooks/event-types', 401],
      ['PROPFIND', '/v1/users/me', 401],
      ['POST', '/healthz', 405],
      ['PATCH', '/oauth2/jwks', 405],
    ])('are 401 without a token, unless everything at the path is open: %s %s', async (method, path, status) => {
      const answer = await send(path, { method });
      expect(answer.status).toBe(status);
      expect(answer.headers.has('allow')).toBe(status === 405);
      expect(answer.headers.has('www-authenticate')).toBe(status === 401);
    });
  });

  it.each(['/v1/%zz', '/v1/bundles/%E0%A4%A', '/v1/bundles/%'])(
    'of a path that cannot be decoded are 422 below /v1, otherwise 404: %s',
    async (path) => {
      const answer = await send(path, { token });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ detail: [{ loc: ['path'], type: 'value_error' }] });
      expect((await send(path.replace('/v1', ''))).status).toBe(404);
    },
  );

  describe('follow the order of section 1 of the contract:', () => {
    const json = { 'Content-Type': 'application/json' };

    it('authentication comes before any other error', async () => {
      for (const body of ['{', '[]', '\0']) {
        const answer = await send('/v1/organisations/no-uuid/members?limit=x', { method: 'POST', headers: json, body });
        expect(answer.status).toBe(401);
      }
      expect((await send('/v1/organisations', { method: 'POST', body: 'a=1' })).status).toBe(401);
    });

    it('then come validation, existence, permission and state', async () => {
      const { orgId, member, owner, outsider } = await createCast(test);
      const path = `/v1/organisations/${orgId}/members` as const;
      const add = (body: object, bearer?: string) =>
        send(path, { method: 'POST', headers: json, token: bearer, body: JSON.stringify(body) });
      const unknown = { user_id: newId(), role: 'MEMBER' };
      expect((await add({ role: 'KING' }, outsider.token)).status).toBe(422);
      expect((await add(unknown, outsider.token)).body).toMatchObject({ code: 'organisation_not_found' });
      expect((await add({ role: 'KING' }, member.token)).status).toBe(422);
      expect((await add(unknown, member.token)).body).toMatchObject({ code: 'insufficient_role' });
      expect((await add(unknown, owner.token)).body).toMatchObject({ code: 'user_not_found' });
      const me = (await owner.get('/v1/users/me')).body;
      const again = await add({ user_id: me.id, role: 'MEMBER' }, owner.token);
      expect(again.body).toMatchObject({ code: 'member_conflict' });
    });

    it('what the caller cannot see is not found, with the same body as what does not exist', async () => {
      const { orgId, outsider } = await createCast(test);
      const hidden = await send(`/v1/organisations/${orgId}`, { token: outsider.token });
      const absent = await send(`/v1/organisations/${NOWHERE}`, { token: outsider.token });
      expect(hidden.status).toBe(404);
      expect(hidden.text).toBe(absent.text.replace(NOWHERE, orgId));
    });
  });

  describe('carry a request id', () => {
    const idOf = async (given?: string) => {
      const headers: Record<string, string> = given === undefined ? {} : { 'X-Request-Id': given };
      return (await send('/v1/users/me', { headers })).headers.get('x-request-id');
    };

    it.each(['a', 'A-Za-z0-9._-', 'x'.repeat(128)])('sent by the caller: %s', async (requestId) => {
      expect(await idOf(requestId)).toBe(requestId);
      expect(test.log.at(-1)).toContain(`"request_id":"${requestId}"`);
    });

    it.each([undefined, '', 'x'.repeat(129), 'two words', 'a,b', '{}', 'a/b', 'naïve'])(
      'that is generated if the caller sent no usable one: %s',
      async (requestId) => {
        const ids = [await idOf(requestId), await idOf(requestId)];
        expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
        expect(ids[1]).not.toBe(ids[0]);
      },
    );

    it('as does every other answer', async () => {
      for (const path of ['/healthz', '/docs/openapi.json', '/.well-known/oauth-protected-resource', '/nothing']) {
        const { headers } = await send(path, { headers: { 'X-Request-Id': 'of-mine' } });
        expect(headers.get('x-request-id')).toBe('of-mine');
      }
    });
  });

  describe('on our side', () => {
    it('do not reveal their cause, which is logged with the request id', async () => {
      await test.dataSource.query(`ALTER TABLE bundles RENAME TO hidden_bundles`);
      const answer = await send('/v1/bundles', { token, headers: { 'X-Request-Id': 'of-the-defect' } });
      await test.dataSource.query(`ALTER TABLE hidden_bundles RENAME TO bundles`);
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({
        detail: 'Something went wrong on our side. Quote request of-the-defect.',
        code: 'internal_error',
      });
      const logged = test.log.find((line) => line.includes('Unexpected failure (request of-the-defect)'));
      expect(logged).toContain('relation \\"bundles\\" does not exist');
      expect((await send('/v1/bundles', { token })).status).toBe(200);
    });

    it('are 503 with Retry-After only while the database cannot be reached', async () => {
      const proxy = await DatabaseProxy.before(test.database.url);
      const cut = await createTestApp({ database: { ...test.database, url: proxy.url } });
      try {
        const api = await cut.as('alice');
        await api.get('/v1/bundles');
        await proxy.close();
        for (const [path, bearer] of [
          ['/v1/bundles', api.token],
          ['/v1/users/me', await cut.token('never-seen')],
          ['/readyz', undefined],
        ] as const) {
          const answer = await sendRaw(cut.url + path, { token: bearer });
          expect(answer.status).toBe(503);
          expect(answer.body).toMatchObject({ code: 'service_unavailable' });
          expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        }
        expect((await sendRaw(`${cut.url}/healthz`)).status).toBe(200);
        await proxy.reopen();
        await eventually(
          () => sendRaw(`${cut.url}/v1/bundles`, { token: api.token }),
          ({ status }) => status === 200,
          5_000,
        );
      } finally {
        await cut.close();
        await proxy.close();
      }
    });
  });

  describe('are not the answer to', () => {
    it.each(['/v1/users/me', '/v1/webhooks/event-types', '/v1/mcp/categories', '/v1/bundles', '/healthz'])(
      'HEAD %s, which gets the headers of GET without a body',
      async (path) => {
        const get = await send(path, { token });
        const head = await send(path, { token, method: 'HEAD' });
        expect(head.status).toBe(200);
        expect(head.text).toBe('');
        for (const name of ['content-type', 'content-length', 'etag']) {
          expect(head.headers.get(name)).toBe(get.headers.get(name));
        }
      },
    );

    it('an unexpected body, which is ignored', async () => {
      const { owner, orgId } = await createCast(test);
      const request = {
        method: 'POST',
        token: owner.token,
        body: '{',
        headers: { 'Content-Type': 'application/json' },
      };
      expect((await send(`/v1/organisations/${orgId}/scim/sync`, request)).status).toBe(200);
    });

    describe.each(['/v1/mcp/categories', '/v1/webhooks/event-types'])('GET %s', (path) => {
      const ask = (tag?: string) => send(path, { token, headers: tag === undefined ? {} : { 'If-None-Match': tag } });

      it('is 304 for a client that has the current answer', async () => {
        await createListing(test.dataSource);
        const full = await ask();
        const etag = full.headers.get('etag') ?? '';
        expect(etag).toMatch(/^"[^"]+"$/);
        for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, `"a","b" , W/${etag}`, '*']) {
          const answer = await ask(tag);
          expect(answer).toMatchObject({ status: 304, text: '' });
          expect(answer.headers.get('etag')).toBe(etag);
        }
        for (const tag of ['"other"', 'W/"other"', etag.slice(1, -1), `${etag}x`, '']) {
          expect(await ask(tag)).toMatchObject({ status: 200, text: full.text });
        }
      });

      it('is 401 and not 304 for an anonymous client', async () => {
        expect((await send(path, { headers: { 'If-None-Match': '*' } })).status).toBe(401);
      });
    });
  });
});
