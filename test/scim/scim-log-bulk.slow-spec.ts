import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { type Cast, unique } from '../support/factories';
import { createDirectory, createProvider, newUser, patch, type Provider } from '../support/scim';
import { statementsOf } from '../support/statements';
import type { OrganisationPath } from '../support/typed-paths';

const BULK_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const A_MINUTE = 60_000;

describe('The SCIM provisioning log', () => {
  let test: TestApp;
  let clock: FakeClock;
  let cast: Cast;
  let provider: Provider;
  let log: OrganisationPath<'scim/log'>;

  beforeAll(async () => {
    clock = new FakeClock(new Date());
    test = await createTestApp({ clock, env: { RUN: 'api' } });
  });

  beforeEach(async () => {
    ({ provider, ...cast } = await createDirectory(test));
    log = `/v1/organisations/${cast.orgId}/scim/log`;
  });

  afterAll(() => test.close());

  const list = async (query = '') => (await cast.admin.get(`${log}?limit=100${query}`)).body;
  const bulk = (operations: unknown[], fields: object = {}) =>
    provider.api.call('post', `${provider.base}/Bulk`, 200, { schemas: [BULK_URN], Operations: operations, ...fields });
  const post = (fields: object = {}) => ({
    method: 'POST',
    path: '/Users',
    bulkId: unique('user'),
    data: newUser(fields),
  });

  describe('records each operation of a bulk request:', () => {
    it('the request, the answer, and the bulk request that contained it', async () => {
      const [good, unread] = [post({ shoeSize: 38, password: 'hunter2' }), post({ userName: 7 })];
      const answer = await bulk([
        good,
        unread,
        { method: 'PATCH', path: `/Users/bulkId:${good.bulkId}`, data: patch({ op: 'replace', path: 'x', value: 1 }) },
        { method: 'delete', path: '/Users/no-such' },
        { path: ['x'] },
      ]);
      const [created] = answer.body.Operations;
      const id = created?.location?.split('/').at(-1);
      const [request] = (await list()).filter(({ path }) => path === '/Bulk');
      const shared = {
        request_id: answer.headers['x-request-id'],
        token_id: provider.tokenId,
        bulk_entry_id: request?.id,
      };
      const entries = (await list(`&bulk_entry_id=${request?.id}`)).sort(
        (a, b) => Number(a.bulk_index) - Number(b.bulk_index),
      );
      expect(request).toMatchObject({ status: 200, bulk_entry_id: null, bulk_index: null });
      expect(request?.request_id).toBe(shared.request_id);
      expect(entries).toMatchObject([
        { ...shared, bulk_index: 0, method: 'POST', path: '/Users', status: 201, resource_id: id, error: null },
        { ...shared, bulk_index: 1, method: 'POST', status: 400, scim_type: 'invalidValue', resource_id: null },
        { ...shared, bulk_index: 2, method: 'PATCH', status: 400, scim_type: 'invalidPath', resource_id: id },
        { ...shared, bulk_index: 3, method: 'DELETE', status: 404, resource_type: 'User', resource_id: 'no-such' },
        { ...shared, bulk_index: 4, method: '', path: '', status: 400, resource_type: null },
      ]);
      expect(entries.map(({ ignored }) => ignored)).toEqual([['shoeSize'], [], [], [], []]);
      expect(entries[1]?.error).toContain('userName must be a string');
      for (const { duration_ms } of entries) expect(duration_ms).toBeGreaterThanOrEqual(0);
      const failed = await list('&failed=true');
      expect(failed.map(({ bulk_index }) => bulk_index).sort()).toEqual([1, 2, 3, 4]);
      expect((await list(`&resource_id=${id}`)).map(({ bulk_index }) => bulk_index).sort()).toEqual([0, 2]);
      const whole = (await cast.admin.get(`${log}/${entries[0]?.id}`)).body;
      expect(whole.body).toEqual({ ...good.data, password: '***' });
    });

    it('but not operations that were not tried', async () => {
      await bulk([post(), { method: 'DELETE', path: '/Users/no-such' }, post()], { failOnErrors: 1 });
      const indexes = (await list()).map(({ bulk_index }) => bulk_index);
      expect(indexes.filter((index) => index !== null).sort()).toEqual([0, 1]);
    });

    it('using few statements for 500 of them', async () => {
      const operations = Array.from({ length: 500 }, () => ({ method: 'DELETE', path: '/Users/no-such' }));
      const statements = await statementsOf(test, () => bulk(operations));
      expect(statements.filter(({ sql }) => sql.includes('INSERT INTO scim_log')).length).toBeLessThanOrEqual(21);
      const [row] = await test.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int FROM scim_log WHERE org_id = $1 AND bulk_index IS NOT NULL`,
        [cast.orgId],
      );
      expect(row?.count).toBe(500);
    });

    it('found by an index', async () => {
      await test.dataSource.query(
        `INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms, bulk_entry_id, bulk_index)
         SELECT uuid_v7(), $1, uuid_v7(), '', 'GET', '/Users', 200, 1, uuid_v7(), 0 FROM generate_series(1, 20000)`,
        [cast.orgId],
      );
      await test.dataSource.query(`ANALYZE scim_log`);
      const [statement] = (await statementsOf(test, () => list(`&bulk_entry_id=${newId()}`))).filter(({ sql }) =>
        sql.includes('FROM scim_log'),
      );
      const plan = await test.dataSource.query<{ 'QUERY PLAN': string }[]>(
        `EXPLAIN ${statement?.sql}`,
        statement?.parameters,
      );
      expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('scim_log_bulk_entry_id_idx');
    });
  });

  describe('records requests with a token that is no longer valid:', () => {
    const use = (token: string, base = provider.base) =>
      new Api(test.url, test.document, token).get(`${base}/Users?filter=x`, 401);
    const tokens = () => `/v1/organisations/${cast.orgId}/scim/tokens` as const;
    const revoked = async (): Promise<Provider> => {
      const one = await createProvider(test, cast);
      await cast.admin.delete(`${tokens()}/${one.tokenId}`);
      return one;
    };
    const expired = async (): Promise<Provider> => {
      const one = await createProvider(test, cast);
      await test.dataSource.query(`UPDATE scim_tokens SET expires_at = $2 WHERE id = $1`, [one.tokenId, clock.now()]);
      return one;
    };

    it.each([
      ['revoked', revoked, 'This SCIM token was revoked.'],
      ['expired', expired, 'This SCIM token has expired.'],
    ])('one that is %s', async (_, make, detail) => {
      const { token, tokenId } = await make();
      const answer = await use(token);
      expect(answer.body).toMatchObject({ status: '401', detail });
      expect(await list(`&token_id=${tokenId}`)).toMatchObject([
        { status: 401, error: detail, path: '/Users?filter=x', request_id: answer.headers['x-request-id'] },
      ]);
    });

    it('at most 20 in a minute', async () => {
      const { token, tokenId } = await revoked();
      const count = async () => (await list(`&token_id=${tokenId}`)).length;
      clock.time = new Date(Math.ceil(clock.now().getTime() / A_MINUTE) * A_MINUTE);
      for (let request = 0; request < 25; request++) await use(token);
      expect(await count()).toBe(20);
      clock.advance(A_MINUTE);
      await use(token);
      expect(await count()).toBe(21);
    });

    it('but not unknown tokens or those of another organisation, revoked or not', async () => {
      const other = await createDirectory(test);
      const { token } = await revoked();
      const rows = () => test.dataSource.query<object[]>(`SELECT id FROM scim_log WHERE status = 401`);
      const before = await rows();
      for (const stranger of [`tys_${'A'.repeat(43)}`, `${provider.token.slice(0, -1)}x`, 'tys_', 'x']) {
        await use(stranger);
      }
      await use(token, other.provider.base);
      await use(provider.token, other.provider.base);
      expect(await rows()).toEqual(before);
    });

    it('up to the last hundred revoked tokens', async () => {
      const { token, tokenId } = await revoked();
      await test.dataSource.query(
        `INSERT INTO revoked_scim_tokens (id, org_id, digest, revoked_at)
         SELECT uuid_v7(), $1, uuid_send(gen_random_uuid()), now() + interval '1 second' FROM generate_series(1, 150)`,
        [cast.orgId],
      );
      await revoked();
      const [row] = await test.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int FROM revoked_scim_tokens WHERE org_id = $1`,
        [cast.orgId],
      );
      expect(row?.count).toBe(100);
      await use(token);
      expect(await list(`&token_id=${tokenId}`)).toEqual([]);
    });
  });
});
