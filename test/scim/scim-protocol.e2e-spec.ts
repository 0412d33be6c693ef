import { get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { newId } from '../../src/database/id';
import type { ScimSettingsPut } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { DatabaseProxy } from '../support/proxy';
import { resourceIn } from '../support/scim-directory';
import { statementsOf } from '../support/statements';
import { createDirectory, ERROR_URN, newGroup, newUser, patch, type Provider } from '../support/scim';

type Headers = Record<string, string>;
type Fields = Record<string, unknown>;

const SCIM = 'application/scim+json; charset=utf-8';

/** Requests as no well-behaved client would send them. */
interface Odd {
  method?: string;
  headers?: Headers;
  body?: string | Uint8Array;
  token?: string;
}

describe('The SCIM protocol', () => {
  let test: TestApp;
  let provider: Provider;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    ({ provider } = await createDirectory(test));
  });

  afterAll(() => test.close());

  /** Checks every error answer against RFC 7644, section 3.12. */
  async function send(path: string, { method = 'GET', headers = {}, body, token = provider.token }: Odd = {}) {
    const response = await fetch(test.url + provider.base + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      body: body,
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: {} as Fields };
    if (text !== '') answer.body = JSON.parse(text) as Fields;
    expect(response.headers.get('x-request-id')).toMatch(/./);
    if (text !== '') expect(response.headers.get('content-type')).toBe(SCIM);
    if (response.status >= 400 && method !== 'HEAD') {
      const { schemas, status, scimType, detail, ...rest } = answer.body;
      expect(rest).toEqual({});
      expect(schemas).toEqual([ERROR_URN]);
      expect(status).toBe(String(response.status));
      if (scimType !== undefined) expect(scimType).toMatch(/^[a-zA-Z]+$/);
      expect(detail).toEqual(expect.any(String));
    }
    return answer;
  }
  const post = (path: string, body: string | Uint8Array, headers: Headers = {}) =>
    send(path, { method: 'POST', body, headers: { 'Content-Type': 'application/scim+json', ...headers } });
  const createUser = async (fields: object = {}) =>
    (await provider.api.post(`${provider.base}/Users`, newUser(fields))).body;

  describe('answers with SCIM errors:', () => {
    it.each([
      '/Nothing',
      '',
      '/',
      '/users',
      '/USERS',
      '/Users/a/b',
      '/scim/v2/Users',
      '/Schemas/a/b',
      '//Users',
      '/Bulk/x',
    ])('404 for an unknown path: %s', async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await send(path, { method });
        expect(answer.status).toBe(404);
        expect(answer.body.scimType).toBeUndefined();
      }
    });

    it.each([
      ['PUT', '/Users', 'GET, HEAD, POST'],
      ['POST', `/Users/${newId()}`, 'DELETE, GET, HEAD, PATCH, PUT'],
      ['GET', '/.search', 'POST'],
      ['GET', '/Users/.search', 'POST'],
      ['DELETE', '/Groups/%2Esearch', 'POST'],
      ['PATCH', '/Bulk', 'POST'],
      ['DELETE', '/Schemas', 'GET, HEAD'],
      ['OPTIONS', '/Groups', 'GET, HEAD, POST'],
      ['PROPFIND', '/Me', 'DELETE, GET, HEAD, PATCH, POST, PUT'],
    ])('405 with the supported methods for %s %s', async (method, path, allow) => {
      const answer = await send(path, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe(allow);
    });

    it('401 before anything else, even for an unknown path', async () => {
      for (const [method, path] of [
        ['GET', '/Nothing'],
        ['PUT', '/Users'],
        ['POST', '/Users'],
        ['GET', '/Users/%zz'],
      ]) {
        const answer = await send(String(path), { method, token: 'nobody' });
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="toolyard scim", error="invalid_token"/);
      }
      const elsewhere = await fetch(`${test.url}${provider.base.replace('/scim/v2', '/scim/V2')}/Users`);
      expect(elsewhere.status).toBe(404);
      expect(elsewhere.headers.get('content-type')).toBe('application/json; charset=utf-8');
    });

    it('the usual ones for a request line with an absolute address', async () => {
      const { hostname, port } = new URL(test.url);
      const ask = (below: string, token: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const path = `http://scim.example.com${provider.base}${below}`;
          const headers = { Authorization: `Bearer ${token}` };
          get({ hostname, port, path, headers }, (response) => resolve(response.resume().statusCode)).on(
            'error',
            reject,
          );
        });
      expect(await ask('/Schemas?count=1', provider.token)).toBe(200);
      expect(await ask('/Schemas', 'nobody')).toBe(401);
      const [entry] = await test.dataSource.query<Fields[]>(`SELECT path FROM scim_log ORDER BY id DESC LIMIT 1`);
      expect(entry).toEqual({ path: '/Schemas?count=1' });
    });

    it('404 for an id that is not possible', async () => {
      for (const path of ['/Users/x', `/Users/${newId()}`, `/Groups/${'x'.repeat(3_000)}`, '/Groups/%F0%9F%98%80']) {
        for (const [method, body] of [
          ['GET'],
          ['DELETE'],
          ['PATCH', JSON.stringify(patch({ op: 'replace', path: 'displayName', value: 'x' }))],
        ] as const) {
          const headers = { 'Content-Type': 'application/scim+json' };
          expect((await send(path, { method, body, headers })).status).toBe(404);
        }
      }
    });

    it.each([
      ['a path that cannot be decoded', '/Users/%zz'],
      ['a NUL in the path', '/Users/%00'],
      ['a NUL in a query', '/Users?filter=%00'],
      ['a repeated parameter', '/Users?count=1&count=2'],
      ['a lone surrogate', '/Users?sortBy=%ed%a0%80'],
    ])('400 for %s', async (_, path) => {
      const answer = await send(path);
      expect(answer.status).toBe(400);
      expect(answer.body.scimType).toMatch(/^invalid/);
    });

    it.each([
      ['invalid JSON', '{"schemas":', 'invalidSyntax'],
      ['empty', '', 'invalidSyntax'],
      ['a list', '[]', 'invalidSyntax'],
      ['null', 'null', 'invalidSyntax'],
      ['a string', '"x"', 'invalidSyntax'],
      ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'invalidSyntax'],
      ['nested too deeply', '['.repeat(100) + ']'.repeat(100), 'invalidSyntax'],
      ['a NUL', JSON.stringify(newUser({ title: 'a\0b' })), 'invalidValue'],
      ['a lone surrogate', JSON.stringify(newUser()).replace('active', '\\ud800'), 'invalid'],
    ])('400 for an invalid body: %s', async (_, body, scimType) => {
      const answer = await post('/Users', body);
      expect(answer.status).toBe(400);
      expect(answer.body.scimType).toMatch(new RegExp(`^${scimType}`));
    });

    it('413 for a body over 1 MiB', async () => {
      const answer = await post('/Users', JSON.stringify(newUser({ title: 'x'.repeat(1_048_576) })));
      expect(answer).toMatchObject({ status: 413, body: { detail: 'The body is larger than 1 MiB.' } });
    });

    it('500 that hides its cause and carries the request id', async () => {
      await test.dataSource.query(`ALTER TABLE scim_users RENAME TO hidden_scim_users`);
      const answer = await send('/Users', { headers: { 'X-Request-Id': 'of-the-defect' } });
      await test.dataSource.query(`ALTER TABLE hidden_scim_users RENAME TO scim_users`);
      expect(answer.status).toBe(500);
      expect(answer.body.detail).toBe('Something went wrong on our side. Quote request of-the-defect.');
      expect(test.log.some((line) => line.includes('Unexpected failure (request of-the-defect)'))).toBe(true);
    });

    it('409 for a change that would remove the last OWNER, if the policy refuses it', async () => {
      const { orgId, owner, provider: strict } = await createDirectory(test);
      const settings: ScimSettingsPut = { default_role: null, allow_owner_mapping: false, last_owner_policy: 'refuse' };
      await owner.put(`/v1/organisations/${orgId}/scim/settings?confirm=true`, settings, 200);
      const { email } = (await owner.get('/v1/users/me')).body;
      const emails = [{ value: email, primary: true }];
      await strict.api.post(`${strict.base}/Users`, newUser({ userName: email, emails, active: false }), 409);
      const rows = await test.dataSource.query<object[]>(`SELECT FROM scim_users WHERE org_id = $1`, [orgId]);
      expect(rows).toEqual([]);
    });

    it('503 with Retry-After while the database cannot be reached', async () => {
      const proxy = await DatabaseProxy.before(test.database.url);
      const cut = await createTestApp({ env: { RUN: 'api' }, database: { ...test.database, url: proxy.url } });
      const ask = (path: string) =>
        fetch(cut.url + provider.base + path, { headers: { Authorization: `Bearer ${provider.token}` } });
      try {
        expect((await ask('/Users')).status).toBe(200);
        await proxy.close();
        for (const path of ['/Users', '/Schemas', '/Nothing']) {
          const answer = await ask(path);
          expect(answer.status).toBe(503);
          expect(answer.headers.get('content-type')).toBe(SCIM);
          expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
          expect(await answer.json()).toMatchObject({ schemas: [ERROR_URN], status: '503' });
        }
        await proxy.reopen();
        await eventually(
          () => ask('/Users'),
          ({ status }) => status === 200,
          5_000,
        );
      } finally {
        await cut.close();
        await proxy.close();
      }
    });
  });

  describe('takes a constant number of statements', () => {
    const count = async (work: () => Promise<unknown>) => (await statementsOf(test, work)).length;

    it('to read a user: for the token, the user, the groups and the log', async () => {
      const { id } = await createUser();
      expect(await count(() => provider.api.get(`${provider.base}/Users/${id}`))).toBe(4);
      expect(await count(() => provider.api.get(`${provider.base}/Users/${id}?excludedAttributes=groups`))).toBe(3);
    });

    it('to change one member of a group, of one or of a thousand', async () => {
      const ids = await Promise.all(Array.from({ length: 4 }, async () => (await createUser()).id));
      const groups = await Promise.all(
        [1, 2].map(async () => {
          const body = (await provider.api.post(`${provider.base}/Groups`, newGroup())).body;
          return body.id;
        }),
      );
      await test.dataSource.query(
        `WITH account AS (INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, 1000) RETURNING id),
              person AS (
                INSERT INTO scim_users (id, org_id, user_id, user_name) SELECT uuid_v7(), $1, id, id::text FROM account
                RETURNING id)
         INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $2, id FROM person`,
        [provider.orgId, groups[1]],
      );
      const costs: number[] = [];
      for (const [index, group] of groups.entries()) {
        const path = `${provider.base}/Groups/${group}` as const;
        const add = patch({ op: 'add', path: 'members', value: [{ value: ids[index] }] });
        const remove = patch({ op: 'remove', path: `members[value eq "${ids[index]}"]` });
        costs.push(await count(() => provider.api.patch(path, add, 204)));
        costs.push(await count(() => provider.api.patch(path, remove, 204)));
      }
      expect(costs.slice(2)).toEqual(costs.slice(0, 2));
      expect(Math.max(...costs)).toBeLessThanOrEqual(20);
    });
  });

  describe('uses application/scim+json:', () => {
    const user = () => JSON.stringify(newUser());

    it.each([
      'application/scim+json',
      'application/json',
      'application/scim+json; charset=utf-8',
      'Application/SCIM+JSON;charset="UTF-8"',
      'application/json;charset=utf-8',
    ])('accepts %s', async (type) => {
      expect((await post('/Users', user(), { 'Content-Type': type })).status).toBe(201);
    });

    it.each([
      'text/plain',
      'application/xml',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'application/scim+json; charset=utf-16',
      '',
    ])('rejects %s with 415', async (type) => {
      const answer = await post('/Users', user(), { 'Content-Type': type });
      expect(answer.status).toBe(415);
      expect(answer.body.detail).toContain('application/scim+json');
    });

    it.each([undefined, '*/*', 'application/scim+json', 'application/json', 'text/html', 'application/*;q=0.1'])(
      'answers in it to Accept: %s',
      async (accept) => {
        const headers: Headers = accept === undefined ? {} : { Accept: accept };
        expect((await send('/Users', { headers })).status).toBe(200);
      },
    );

    it('accepts a compressed body', async () => {
      const answer = await post('/Users', gzipSync(user()), { 'Content-Encoding': 'gzip' });
      expect(answer.status).toBe(201);
    });
  });

  describe('answers about a resource', () => {
    it('with location and version after creating, reading and changing a user', async () => {
      const created = await provider.api.post(`${provider.base}/Users`, newUser());
      const { id, meta } = resourceIn(created);
      const address = `${provider.location}/Users/${id}`;
      expect(meta.location).toBe(address);
      const all = [
        created,
        await provider.api.get(`${provider.base}/Users/${id}`),
        await provider.api.put(`${provider.base}/Users/${id}`, newUser(), 200),
        await provider.api.patch(
          `${provider.base}/Users/${id}`,
          patch({ op: 'replace', path: 'title', value: 'Countess' }),
        ),
      ];
      for (const { headers } of all) {
        expect(headers.location).toBe(address);
        expect(headers['content-location']).toBe(address);
        expect(headers.etag).toMatch(/^W\/"\d+(\.[0-9a-f]+)?"$/);
        expect(headers['content-type']).toBe(SCIM);
        expect(headers['cache-control']).toBe('private, no-cache');
      }
      for (const answer of all) expect(resourceIn(answer).meta.version).toBe(answer.headers.etag);
    });

    it('with the same for a group, and 204 without a body to a PATCH without requested attributes', async () => {
      const body = (await provider.api.post(`${provider.base}/Groups`, newGroup())).body;
      const { id } = body;
      const change = patch({ op: 'replace', path: 'displayName', value: unique('Renamed') });
      const quiet = await provider.api.patch(`${provider.base}/Groups/${id}`, change, 204);
      expect(quiet.headers.location).toBe(`${provider.location}/Groups/${id}`);
      expect(quiet.headers.etag).toMatch(/^W\//);
      const asked = await provider.api.patch(`${provider.base}/Groups/${id}?attributes=displayName`, change, 200);
      expect(asked.body).toMatchObject({ id });
      await provider.api.delete(`${provider.base}/Groups/${id}`);
      await provider.api.get(`${provider.base}/Groups/${id}`, 404);
    });

    it('with 304 for a matching version, and 412 for an outdated one', async () => {
      const { id } = await createUser();
      const path = `${provider.base}/Users/${id}` as const;
      const { headers } = await provider.api.get(path);
      const etag = String(headers.etag);
      const same = await provider.api.get(path, 304, { 'If-None-Match': etag });
      expect(same.headers.etag).toBe(etag);
      expect(same.text).toBe('');
      await provider.api.get(path, 200, { 'If-None-Match': 'W/"999"' });
      const change = patch({ op: 'replace', path: 'title', value: 'Dr.' });
      await provider.api.patch(path, change, 412, { 'If-Match': 'W/"999"' });
      await provider.api.put(path, newUser(), 412, { 'If-Match': 'W/"999"' });
      await provider.api.delete(path, 412, { 'If-Match': 'W/"999"' });
      await provider.api.patch(path, change, 200, { 'If-Match': etag });
      await provider.api.delete(path, 412, { 'If-Match': etag });
      await provider.api.delete(path, 204, { 'If-Match': '*' });
    });

    it('to HEAD with the headers of GET', async () => {
      const { id } = await createUser();
      for (const path of [`/Users/${id}`, '/Users?count=1', '/ServiceProviderConfig', '/Users/x']) {
        const get = await send(path);
        const head = await send(path, { method: 'HEAD' });
        expect(head.status).toBe(get.status);
        expect(head.text).toBe('');
        for (const name of ['content-type', 'content-length', 'etag', 'location']) {
          expect(head.headers.get(name)).toBe(get.headers.get(name));
        }
      }
    });

    it('with ids in the spelling of the database, whatever the spelling in the path', async () => {
      const { id } = await createUser();
      const shouted = `/v1/organisations/${provider.orgId.toUpperCase()}/scim/v2/Users/${id.toUpperCase()}` as const;
      const shown = await provider.api.get(shouted);
      expect(shown.body).toMatchObject({ id, meta: { location: `${provider.location}/Users/${id}` } });
      expect(shown.headers.location).toBe(`${provider.location}/Users/${id}`);
    });
  });
});
