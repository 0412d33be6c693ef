import { createDataSource } from '../../src/database/data-source';
import { newId } from '../../src/database/id';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, TestDatabase } from '../support/database';

const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('WebhookTenants'));

describe('The migration of existing webhook endpoints', () => {
  let database: TestDatabase;
  const [person, organisation] = [newId(), newId()];
  const [working, failing, fresh, personal] = [newId(), newId(), newId(), newId()];
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const before = createDataSource({
      url: database.url,
      poolSize: 2,
      entities: ENTITIES,
      migrations: MIGRATIONS.slice(0, FIRST),
    });
    await before.initialize();
    await migrate(before);
    await before.destroy();
    await query(`INSERT INTO users (id) VALUES ($1)`, [person]);
    await query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Acme', 'acme')`, [organisation]);
    for (const id of [working, failing, fresh, personal]) {
      await query(
        `INSERT INTO webhook_endpoints (id, org_id, owner_id, target_url, event_types, encrypted_secret)
         VALUES ($1, $2, $3, 'https://hooks.example.com/in?token=1', '{bundle.created}', '\\x00')`,
        [id, id === personal ? null : organisation, person],
      );
    }
    await query(
      `INSERT INTO webhook_hours (endpoint_id, hour, succeeded, failed, latencies)
       VALUES ($1, now(), 3, 1, '{}'), ($2, now(), 1, 1, '{}'), ($3, now(), 0, 5, '{}')`,
      [working, failing, fresh],
    );
    await query(
      `UPDATE webhook_lanes SET wake_at = '2026-11-21T12:00:00Z', failing_since = CASE WHEN endpoint_id = $1 THEN now() END
       WHERE endpoint_id <> $2`,
      [failing, personal],
    );
    await query(`UPDATE webhook_lanes SET wake_at = '2026-11-21T11:00:00Z' WHERE endpoint_id = $1`, [fresh]);
    await query(`INSERT INTO events (id, type, org_id, data) VALUES ($1, 'bundle.created', $2, '{}')`, [
      newId(),
      organisation,
    ]);
    await query(`INSERT INTO events (id, type, owner_id, data) VALUES ($1, 'bundle.created', $2, '{}')`, [
      newId(),
      person,
    ]);
    await migrate(database.dataSource);
  });

  afterAll(() => database.drop());

  it('assigns lanes to tenants, and marks those that have succeeded as proven', async () => {
    const lanes = await query<object>(
      `SELECT endpoint_id, tenant_id, is_proven FROM webhook_lanes ORDER BY endpoint_id`,
    );
    expect(lanes).toEqual([
      { endpoint_id: working, tenant_id: organisation, is_proven: true },
      { endpoint_id: failing, tenant_id: organisation, is_proven: true },
      { endpoint_id: fresh, tenant_id: organisation, is_proven: false },
      { endpoint_id: personal, tenant_id: person, is_proven: false },
    ]);
  });

  it('wakes each tenant with the first of its lanes', async () => {
    const tenants = await query<object>(`SELECT * FROM webhook_tenants ORDER BY tenant_id, is_doubtful`);
    expect(tenants).toEqual([
      { tenant_id: person, is_doubtful: false, wake_at: null },
      { tenant_id: person, is_doubtful: true, wake_at: null },
      { tenant_id: organisation, is_doubtful: false, wake_at: new Date('2026-11-21T12:00:00Z') },
      { tenant_id: organisation, is_doubtful: true, wake_at: new Date('2026-11-21T11:00:00Z') },
    ]);
  });

  it('keeps the events without deliveries so far, with their tenants', async () => {
    const events = await query<{ tenant_id: string }>(`SELECT tenant_id FROM webhook_new_events ORDER BY event_id`);
    expect(events).toEqual([{ tenant_id: organisation }, { tenant_id: person }]);
  });

  it('leaves targets unencrypted, for the worker to encrypt', async () => {
    const rows = await query<object>(`SELECT DISTINCT target_url, encrypted_query FROM webhook_endpoints`);
    expect(rows).toEqual([{ target_url: 'https://hooks.example.com/in?token=1', encrypted_query: null }]);
  });

  it('works with writes of the previous release: lanes woken by it wake their tenants', async () => {
    await query(`UPDATE webhook_lanes SET wake_at = '2026-11-21T10:00:00Z' WHERE endpoint_id = $1`, [working]);
    await query(`UPDATE webhook_lanes SET wake_at = '2026-11-21T13:00:00Z' WHERE endpoint_id = $1`, [failing]);
    const tenants = await query<object>(
      `SELECT is_doubtful, wake_at FROM webhook_tenants WHERE tenant_id = $1 ORDER BY is_doubtful`,
      [organisation],
    );
    expect(tenants).toEqual([
      { is_doubtful: false, wake_at: new Date('2026-11-21T10:00:00Z') },
      { is_doubtful: true, wake_at: new Date('2026-11-21T11:00:00Z') },
    ]);
  });

  it('removes a tenant with its last lane, and creates it again with the next', async () => {
    const count = () =>
      query<object>(`SELECT count(*)::int AS rows FROM webhook_tenants WHERE tenant_id = $1`, [person]);
    await query(`DELETE FROM webhook_endpoints WHERE id = $1`, [working]);
    expect(await count()).toEqual([{ rows: 2 }]);
    await query(`DELETE FROM webhook_endpoints WHERE id = $1`, [personal]);
    expect(await count()).toEqual([{ rows: 0 }]);
    await query(
      `INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret)
       VALUES ($1, $2, 'https://hooks.example.com', '{}', '')`,
      [newId(), person],
    );
    expect(await count()).toEqual([{ rows: 2 }]);
  });
});
