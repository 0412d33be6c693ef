import { Connection } from 'pg';
import { createTestApp, type TestApp } from '../support/app';
import { createCast, unique } from '../support/factories';

/** The numbers of ADR 35. */
describe('A request waits for the database', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  /** Of the extended protocol, and of transactions; not the heartbeat of the listener. */
  async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
    const synced = jest.spyOn(Connection.prototype, 'sync');
    const simple = jest.spyOn(Connection.prototype, 'query');
    try {
      await work();
      return synced.mock.calls.length + simple.mock.calls.filter(([text]) => text !== 'SELECT 1').length;
    } finally {
      synced.mockRestore();
      simple.mockRestore();
    }
  }

  it('four times to create a personal bundle, and once more for the membership of an organisation', async () => {
    const { orgId: org_id, owner } = await createCast(test);
    for (const [owned, count] of [
      [{}, 4],
      [{ org_id }, 5],
    ] as const) {
      const create = () => owner.post('/v1/bundles', { name: 'Bundle', slug: unique('bundle'), ...owned });
      await create();
      expect(await roundTripsOf(create)).toBe(count);
    }
  });
});
