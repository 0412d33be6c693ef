import type { Answer } from '../support/api';
import type { ScimError } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import {
  createDirectory,
  ERROR_URN,
  GROUP_URN,
  newGroup,
  newUser,
  patch,
  type Provider,
  USER_URN,
} from '../support/scim';
import { objectIn } from '../support/scim-directory';

type Fields = Record<string, unknown>;

const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const SEARCH_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const BULK_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

/** An attribute as `/Schemas` describes it. */
interface Described {
  name: string;
  type: string;
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact?: boolean;
  mutability: string;
  returned: string;
  uniqueness: string;
  canonicalValues?: string[];
  referenceTypes?: string[];
  subAttributes?: Described[];
}

interface Schema {
  id: string;
  name: string;
  attributes: Described[];
  meta: Fields;
}

/** What a client can learn about the service (RFC 7644, section 4), and that all of it is true. */
describe('SCIM discovery', () => {
  let test: TestApp;
  let provider: Provider;

  beforeAll(async () => {
    test = await createTestApp();
    ({ provider } = await createDirectory(test));
    for (const name of ['b', 'a', 'c'])
      await provider.api.post(`${provider.base}/Users`, newUser({ displayName: name }));
  });

  afterAll(() => test.close());

  /** The document leaves discovery answers open: any JSON object. */
  const get = async (path: string, status = 200) => objectIn(await provider.api.get(`${provider.base}${path}`, status));
  const config = () => get('/ServiceProviderConfig');
  const schemas = async () => (await get('/Schemas')).Resources as Schema[];
  const schema = async (urn: string) => (await get(`/Schemas/${urn}`)) as unknown as Schema;

  describe('of the service provider configuration', () => {
    it('follows RFC 7643, section 5, and RFC 9865', async () => {
      expect(await config()).toEqual({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
        documentationUri: 'https://toolyard.test/docs',
        patch: { supported: true },
        bulk: { supported: true, maxOperations: 500, maxPayloadSize: 4_194_304 },
        filter: { supported: true, maxResults: 1_000 },
        changePassword: { supported: false },
        sort: { supported: true },
        etag: { supported: true },
        pagination: {
          cursor: true,
          index: true,
          defaultPaginationMethod: 'index',
          defaultPageSize: 100,
          maxPageSize: 1_000,
        },
        authenticationSchemes: [
          expect.objectContaining({ type: 'oauthbearertoken', name: expect.any(String) as string, primary: true }),
        ],
        meta: { resourceType: 'ServiceProviderConfig', location: `${provider.location}/ServiceProviderConfig` },
      });
    });

    it('patch: a PATCH changes one attribute and leaves the others', async () => {
      const body = (await provider.api.post(`${provider.base}/Users`, newUser({ title: 'Dr.' }))).body;
      const { id } = body;
      const change = patch({ op: 'replace', path: 'nickName', value: 'Ada' });
      const changed = await provider.api.patch(`${provider.base}/Users/${id}`, change);
      expect(changed.body).toMatchObject({ title: 'Dr.', nickName: 'Ada' });
    });

    it('bulk: the announced limits work, and one operation or byte more is 413', async () => {
      const { maxOperations, maxPayloadSize } = (await config()).bulk as {
        maxOperations: number;
        maxPayloadSize: number;
      };
      const operation = { method: 'DELETE', path: '/Users/nobody' };
      const bulk = (count: number) => ({
        schemas: [BULK_URN],
        Operations: Array(count).fill(operation) as (typeof operation)[],
      });
      const most = await provider.api.post(`${provider.base}/Bulk`, bulk(maxOperations), 200);
      expect(most.body.Operations).toHaveLength(maxOperations);
      const tooMany = await provider.api.post(`${provider.base}/Bulk`, bulk(maxOperations + 1), 413);
      expect(tooMany.body).toMatchObject({ schemas: [ERROR_URN], status: '413' });
      const padded = (bytes: number) => {
        const text = JSON.stringify({ schemas: [BULK_URN], Operations: [], note: '' });
        return text.replace('""}', `"${'x'.repeat(bytes - text.length)}"}`);
      };
      const send = (body: string) =>
        provider.api.raw('post', `${provider.base}/Bulk`).set('Content-Type', 'application/scim+json').send(body);
      expect((await send(padded(maxPayloadSize))).status).toBe(200);
      const tooLarge: Answer<ScimError> = await send(padded(maxPayloadSize + 1));
      expect(tooLarge.status).toBe(413);
      expect(tooLarge.body.detail).toBe('The body is larger than 4 MiB.');
    });

    it('filter: a filter selects, and maxResults limits the page', async () => {
      const { maxResults } = (await config()).filter as { maxResults: number };
      const filtered = await get('/Users?filter=displayName%20eq%20%22B%22');
      expect(filtered).toMatchObject({ schemas: [LIST_URN], totalResults: 1 });
      const all = await get(`/Users?count=${maxResults + 1}`);
      expect(all.itemsPerPage).toBe(all.totalResults);
    });

    it('changePassword: a password is neither stored nor shown', async () => {
      const body = (await provider.api.post(`${provider.base}/Users`, newUser({ password: 'hunter2' }))).body;
      expect(JSON.stringify(body)).not.toMatch(/password|hunter2/);
      const stored = await test.dataSource.query<object[]>(
        `SELECT FROM scim_users WHERE to_jsonb(scim_users)::text LIKE '%hunter2%'`,
      );
      expect(stored).toEqual([]);
      expect((await schema(USER_URN)).attributes.map(({ name }) => name)).not.toContain('password');
    });

    it('sort: results are sorted in both directions', async () => {
      const names = async (order: string) => {
        const list = await get(`/Users?filter=displayName%20pr&sortBy=displayName&sortOrder=${order}`);
        return (list.Resources as { displayName: string }[]).map(({ displayName }) => displayName);
      };
      expect(await names('ascending')).toEqual(['a', 'b', 'c']);
      expect(await names('descending')).toEqual(['c', 'b', 'a']);
    });

    it('etag: conditional requests are respected', async () => {
      const { headers } = await provider.api.post(`${provider.base}/Groups`, newGroup());
      const path = String(headers.location).replace('https://toolyard.test', '');
      await provider.api.get(path, 304, { 'If-None-Match': String(headers.etag) });
      await provider.api.delete(path, 412, { 'If-Match': 'W/"0"' });
    });

    it('pagination: by index unless a cursor is requested, with the announced page sizes', async () => {
      const { defaultPageSize } = (await config()).pagination as { defaultPageSize: number };
      for (let index = 0; index < defaultPageSize; index++) {
        await test.dataSource.query(`INSERT INTO scim_groups (id, org_id, display_name) VALUES (uuid_v7(), $1, $2)`, [
          provider.orgId,
          `Group ${index}`,
        ]);
      }
      await provider.api.post(`${provider.base}/Groups`, newGroup());
      const first = await get('/Groups?excludedAttributes=members');
      expect(first).toMatchObject({ startIndex: 1, itemsPerPage: defaultPageSize });
      expect(first.nextCursor).toBeUndefined();
      const byCursor = await get('/Groups?cursor=&count=40');
      expect(byCursor).toMatchObject({ itemsPerPage: 40, nextCursor: expect.any(String) as string });
      const next = await get(`/Groups?cursor=${String(byCursor.nextCursor)}&count=40`);
      const ids = [byCursor, next].flatMap(({ Resources }) => (Resources as { id: string }[]).map(({ id }) => id));
      expect(new Set(ids).size).toBe(80);
      expect(await get('/Groups?cursor=made-up', 400)).toMatchObject({ scimType: 'invalidCursor' });
    });

    it('authenticationSchemes: a bearer token is required', async () => {
      await test.anonymous.get(`${provider.base}/ServiceProviderConfig`, 401);
    });

    it('/Me is not supported, as its 501 says', async () => {
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        const body = (await provider.api.call(method, `${provider.base}/Me`, 501)).body;
        expect(body).toMatchObject({
          schemas: [ERROR_URN],
          status: '501',
          detail: expect.stringContaining('/Me') as string,
        });
      }
    });
  });

  describe('of resource types', () => {
    it('lists them, with addresses that work', async () => {
      const { Resources: types, ...list } = await get('/ResourceTypes');
      expect(list).toEqual({ schemas: [LIST_URN], totalResults: 2, itemsPerPage: 2, startIndex: 1 });
      const base = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'] };
      const meta = (name: string) => ({
        resourceType: 'ResourceType',
        location: `${provider.location}/ResourceTypes/${name}`,
      });
      expect(types).toEqual([
        {
          ...base,
          id: 'User',
          name: 'User',
          description: expect.any(String) as string,
          endpoint: '/Users',
          schema: USER_URN,
          schemaExtensions: [{ schema: ENTERPRISE_URN, required: false }],
          meta: meta('User'),
        },
        {
          ...base,
          id: 'Group',
          name: 'Group',
          description: expect.any(String) as string,
          endpoint: '/Groups',
          schema: GROUP_URN,
          schemaExtensions: [],
          meta: meta('Group'),
        },
      ]);
      for (const type of types as { id: string; endpoint: string; schema: string }[]) {
        expect(await get(`/ResourceTypes/${type.id}`)).toEqual(type);
        expect(await get(type.endpoint)).toMatchObject({ schemas: [LIST_URN] });
        await get(`/Schemas/${type.schema}`);
      }
      for (const name of ['user', 'Device', 'constructor', '__proto__']) await get(`/ResourceTypes/${name}`, 404);
    });
  });

  describe('of schemas', () => {
    it('returns the three, also by URN in any case', async () => {
      const all = await schemas();
      expect(all.map(({ id, name }) => [id, name])).toEqual([
        [USER_URN, 'User'],
        [ENTERPRISE_URN, 'EnterpriseUser'],
        [GROUP_URN, 'Group'],
      ]);
      for (const one of all) {
        expect(await schema(one.id)).toEqual(one);
        expect(await schema(one.id.toUpperCase())).toEqual(one);
        expect(one.meta).toEqual({ resourceType: 'Schema', location: `${provider.location}/Schemas/${one.id}` });
      }
      await get('/Schemas/urn:example:nothing', 404);
    });

    it('describes every attribute as RFC 7643, section 7, requires', async () => {
      const walk = (attributes: Described[]): Described[] =>
        attributes.flatMap((one) => [one, ...walk(one.subAttributes ?? [])]);
      for (const { attributes } of await schemas()) {
        for (const one of walk(attributes)) {
          expect(one).toMatchObject({
            name: expect.stringMatching(/^\$?[a-zA-Z][\w-]*$/) as string,
            type: expect.stringMatching(
              /^(string|boolean|decimal|integer|dateTime|binary|reference|complex)$/,
            ) as string,
            multiValued: expect.any(Boolean) as boolean,
            description: expect.stringMatching(/./) as string,
            required: expect.any(Boolean) as boolean,
            mutability: expect.stringMatching(/^(readOnly|readWrite|immutable|writeOnly)$/) as string,
            returned: expect.stringMatching(/^(always|never|default|request)$/) as string,
            uniqueness: expect.stringMatching(/^(none|server|global)$/) as string,
          });
          expect(one.type === 'complex').toBe(one.subAttributes !== undefined);
          expect(one.type === 'complex').toBe(one.caseExact === undefined);
          if (one.type === 'reference') expect(one.referenceTypes?.length).toBeGreaterThan(0);
        }
        const names = attributes.map(({ name }) => name.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
        // Common attributes do not belong to a schema (section 3.1).
        expect(names.filter((name) => ['id', 'externalid', 'meta', 'schemas'].includes(name))).toEqual([]);
      }
    });

    it('describes the constraints of userName', async () => {
      const { attributes } = await schema(USER_URN);
      expect(attributes[0]).toEqual({
        name: 'userName',
        type: 'string',
        multiValued: false,
        description: expect.any(String) as string,
        required: true,
        caseExact: false,
        mutability: 'readWrite',
        returned: 'default',
        uniqueness: 'server',
      });
      const user = newUser({ userName: 'Twice@example.com' });
      await provider.api.post(`${provider.base}/Users`, user);
      const again = newUser({ userName: 'tWICE@example.com' });
      const body = (await provider.api.post(`${provider.base}/Users`, again, 409)).body;
      expect(body).toMatchObject({ scimType: 'uniqueness' });
    });
  });

  it('cannot be filtered: a filter gives 403', async () => {
    for (const path of [
      '/ServiceProviderConfig',
      '/ResourceTypes',
      '/ResourceTypes/User',
      '/Schemas',
      `/Schemas/${USER_URN}`,
    ]) {
      for (const name of ['filter', 'FILTER']) {
        const body = (await provider.api.get(`${provider.base}${path}?${name}=name%20pr`, 403)).body;
        expect(body).toMatchObject({ schemas: [ERROR_URN], status: '403' });
        expect(body).not.toHaveProperty('scimType');
      }
      await get(`${path}?count=1&startIndex=7&sortBy=name`);
    }
  });

  it('supports .search on each resource type and on the root', async () => {
    const search = { schemas: [SEARCH_URN], filter: 'displayName eq "b"' };
    for (const path of ['/Users/.search', '/.search']) {
      const body = (await provider.api.post(provider.base + path, search, 200)).body;
      expect(body).toMatchObject({ schemas: [LIST_URN], totalResults: 1 });
    }
    const body = (await provider.api.post(`${provider.base}/Groups/.search`, search, 200)).body;
    expect(body).toMatchObject({ totalResults: 0 });
  });
});
