import { removeNotifiedEndpoints, removePersonalEndpoints } from '../../src/webhooks/endpoints/endpoint-departure';
import { inTransaction } from '../../src/database/transaction';
import { createTestApp, type TestApp } from '../support/app';
import { createEndpoint, idOf, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';

const LONG_AGO = new Date(0);

/** Recording results locks endpoints and lanes in the order of ids. A deletion in another order could deadlock with it. */
describe('Endpoints that go together', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  const query = (sql: string, parameters: unknown[] = []) => test.dataSource.query<{ id: string }[]>(sql, parameters);

  /** @returns their ids in order; PostgreSQL finds the last one first, in the table and in its indexes */
  async function twoOf(owned: string, ownerId: string): Promise<[string, string]> {
    const [first, last] = await query(`SELECT id FROM webhook_endpoints WHERE ${owned} ORDER BY id`, [ownerId]);
    if (!first || !last) throw new Error('There are two.');
    await query(`UPDATE webhook_endpoints SET created_at = now() + interval '1 hour' WHERE id = $1`, [first.id]);
    const found = await query(`SELECT id FROM webhook_endpoints WHERE ${owned}`, [ownerId]);
    expect(found).toEqual([last, first]);
    return [first.id, last.id];
  }

  const WAYS = ['of a person', 'of an organisation'] as const;
  const TABLES = [
    ['webhook_endpoints', 'id'],
    ['webhook_lanes', 'endpoint_id'],
  ] as const;
  it.each(WAYS.flatMap((way) => TABLES.map(([table, key]) => ({ way, table, key }))))(
    'are locked in the order of their ids: $way, $table',
    async ({ way, table, key }) => {
      const person = await test.as(unique('person'));
      const isPersonal = way === 'of a person';
      const ownerId = isPersonal
        ? await idOf(person)
        : (await person.post('/v1/organisations', { name: unique('Going') })).body.id;
      for (let n = 0; n < 2; n++) await createEndpoint(person, isPersonal ? {} : { org_id: ownerId });
      const owned = isPersonal ? 'org_id IS NULL AND owner_id = $1' : 'org_id = $1';
      const [first, last] = await twoOf(owned, ownerId);
      const locked = (id: string, mode: string) => `SELECT FROM ${table} WHERE ${key} = '${id}' FOR UPDATE ${mode}`;
      let removal: Promise<unknown> = Promise.resolve();
      await holding(test.dataSource, locked(first, ''), async () => {
        removal = inTransaction<unknown>(test.dataSource, (manager) =>
          isPersonal ? removePersonalEndpoints(manager, ownerId) : removeNotifiedEndpoints(manager, ownerId, LONG_AGO),
        );
        await untilBlocked(test.dataSource, 1);
        expect(await query(locked(last, 'SKIP LOCKED'))).toHaveLength(1);
      });
      await removal;
      expect(await query(`SELECT id FROM webhook_endpoints WHERE ${owned}`, [ownerId])).toEqual([]);
    },
  );
});
