import { send } from '../support/answers';
import { createTestApp, type TestApp } from '../support/app';
import { createBundle } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';

describe('Readiness of a busy process', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { DATABASE_POOL_SIZE: '2', RUN: 'api' } });
  });

  afterAll(() => test.close());

  it('stays while every connection is in use: without it the other replicas would be as busy', async () => {
    const api = await test.as('ada');
    const bundles = await Promise.all([createBundle(api), createBundle(api)]);
    expect((await send(`${test.url}/readyz`)).status).toBe(200);
    await holding(test.dataSource, `SELECT FROM bundles FOR UPDATE`, async (release) => {
      const changes = bundles.map(({ id }) => api.patch(`/v1/bundles/${id}`, { name: 'Changed' }));
      await untilBlocked(test.dataSource, bundles.length);
      const probes = await Promise.all([send(`${test.url}/readyz`), send(`${test.url}/readyz`)]);
      expect(probes.map(({ status }) => status)).toEqual([200, 200]);
      await release();
      await Promise.all(changes);
    });
  });
});
