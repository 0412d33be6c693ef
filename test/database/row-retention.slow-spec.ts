import { newId } from '../../src/database/id';
import { RowRetention } from '../../src/database/row-retention';
import { createTestApp, TestApp } from '../support/app';
import { createCast } from '../support/factories';
import { statementsOf } from '../support/statements';

const RUN_DAYS = 3;
const AUDIT_DAYS = 5;
/** 14 days until an invitation expires, and 90 more. */
const INVITATION_DAYS = 104;
/** Size of a batch (`AT_ONCE`). */
const BATCH = 2_000;

describe('Old rows', () => {
  let test: TestApp;
  let orgId: string;

  beforeAll(async () => {
    test = await createTestApp({
      env: { RUN_RETENTION_DAYS: `${RUN_DAYS}`, AUDIT_RETENTION_DAYS: `${AUDIT_DAYS}`, WEBHOOKS_RETENTION_DAYS: '4' },
    });
    ({ orgId } = await createCast(test));
    for (const source of ['https://a.example', 'https://b.example']) {
      await test.dataSource.query(`INSERT INTO import_sources (address) VALUES ($1)`, [source]);
    }
  });

  afterAll(() => test.close());

  const query = <T>(sql: string, parameters: unknown[] = []) => test.dataSource.query<T[]>(sql, parameters);
  const run = () => test.app.get(RowRetention).run();
  /** SQL for an id as created that many days ago, plus some minutes. */
  const idOfDay = (days: string, minutes = 0) => `
    overlay(uuid_v7()::text PLACING
      (SELECT substr(stamp, 1, 8) || '-' || substr(stamp, 9, 4) FROM (
         SELECT lpad(to_hex(floor(extract(epoch FROM now() - ${days} * interval '1 day' + interval '${minutes} minutes')
                                  * 1000)::bigint), 12, '0') AS stamp) AS hex)
      FROM 1 FOR 13)::uuid`;

  async function addRun(days: number, minutes: number, changes: number): Promise<string> {
    const [row] = await query<{ id: string }>(
      `INSERT INTO scim_sync_runs (id, org_id, started_at, finished_at, scanned, joined, promoted, demoted, removed,
                                   retained, unchanged)
       VALUES (${idOfDay(String(days), minutes)}, $1, now(), now(), 0, 0, 0, 0, 0, 0, 0) RETURNING id`,
      [orgId],
    );
    await query(
      `INSERT INTO scim_sync_changes (run_id, user_id, change, reason)
       SELECT $1, uuid_v7(), 'joined', 'mapping' FROM generate_series(1, $2::int)`,
      [row?.id, changes],
    );
    return row?.id as string;
  }

  const addAudit = (days: number, minutes: number, count: number) =>
    query(
      `INSERT INTO audit_log (id, org_id, action, actor_type, subject_type)
       SELECT ${idOfDay(String(days), minutes)}, $1, 'test', 'system', 'member' FROM generate_series(1, $2::int)`,
      [newId(), count],
    );

  const addImport = async (source: string, days: number, minutes: number) =>
    (
      await query<{ id: string }>(
        `INSERT INTO import_runs (id, source, mode, status, started_at, updated_at)
         VALUES (${idOfDay(String(days), minutes)}, $1, 'whole', 'finished', now(), now()) RETURNING id`,
        [source],
      )
    )[0]?.id;

  it('of syncs are removed with their changes, in batches, while recent ones stay', async () => {
    const old = [await addRun(RUN_DAYS, -5, BATCH + 10), await addRun(RUN_DAYS + 100, 0, 3)];
    const kept = [await addRun(RUN_DAYS, 5, 2), await addRun(0, 0, 1)];
    const statements = await statementsOf(test, run);
    expect(statements.filter(({ sql }) => sql.includes('DELETE FROM scim_sync_changes'))).toHaveLength(2);
    const ids = async (sql: string) => (await query<{ id: string }>(sql)).map(({ id }) => id);
    expect(await ids(`SELECT id FROM scim_sync_runs ORDER BY id`)).toEqual(kept);
    expect(await ids(`SELECT DISTINCT run_id AS id FROM scim_sync_changes ORDER BY 1`)).toEqual(kept);
    expect(old.some((id) => kept.includes(id))).toBe(false);
  });

  it('of the audit log are removed for every organisation, including deleted ones', async () => {
    const before = (await query(`SELECT id FROM audit_log`)).length;
    await addAudit(AUDIT_DAYS, -5, BATCH + 1);
    await addAudit(AUDIT_DAYS, 5, 7);
    await run();
    expect(await query(`SELECT id FROM audit_log`)).toHaveLength(before + 7);
  });

  it('of invitations are removed 90 days after they expired, whatever their status', async () => {
    const add = async (status: string, minutes: number) =>
      (
        await query<{ id: string }>(
          `INSERT INTO invitations (id, org_id, email, address, role, status, created_at, expires_at)
           SELECT id, $1, id, id, 'MEMBER', $2, now(), now()
           FROM (SELECT ${idOfDay(String(INVITATION_DAYS), minutes)} AS id) AS made RETURNING id`,
          [orgId, status],
        )
      )[0]?.id;
    const old = [await add('PENDING', -5), await add('REVOKED', -5)];
    const kept = [await add('PENDING', 5), await add('ACCEPTED', 5)];
    await run();
    const left = await query<{ id: string }>(`SELECT id FROM invitations WHERE id = ANY ($1) ORDER BY id`, [
      [...old, ...kept],
    ]);
    expect(left.map(({ id }) => id)).toEqual(kept.sort());
  });

  it('of imports are removed, except the latest run of each source, from which the next one resumes', async () => {
    await addImport('https://a.example', RUN_DAYS + 2, 0);
    const latest = await addImport('https://a.example', RUN_DAYS + 1, 0);
    await addImport('https://b.example', RUN_DAYS + 9, 0);
    const recent = await addImport('https://b.example', RUN_DAYS, 5);
    await run();
    const kept = await query<{ id: string }>(`SELECT id FROM import_runs ORDER BY source`);
    expect(kept.map(({ id }) => id)).toEqual([latest, recent]);
  });

  it('are found by an index, in the order of their ids', async () => {
    await query(
      `INSERT INTO audit_log (id, org_id, action, actor_type, subject_type)
       SELECT uuid_v7(), uuid_v7(), 'test', 'system', 'member' FROM generate_series(1, 20000)`,
    );
    await query(
      `INSERT INTO scim_sync_changes (run_id, user_id, change, reason)
       SELECT uuid_v7(), uuid_v7(), 'joined', 'mapping' FROM generate_series(1, 20000)`,
    );
    // So many that a planner with a choice would rather read the whole table.
    await addAudit(AUDIT_DAYS, -5, 500);
    await addRun(RUN_DAYS, -5, 500);
    await query(`ANALYZE`);
    const statements = await statementsOf(test, run);
    const removals = statements.filter(({ sql }) => /DELETE FROM (audit_log|scim_sync_changes)/.test(sql));
    expect(removals).toHaveLength(2);
    for (const { sql, parameters } of removals) {
      const plan = await query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(text).toMatch(/Index (Only )?Scan (using|on) (audit_log_id_idx|scim_sync_changes_pkey)/);
      expect(text).not.toContain('Seq Scan');
    }
  });

  it('of other tables are removed even if one table fails', async () => {
    const old = await addRun(RUN_DAYS, -5, 0);
    await query(`ALTER TABLE scim_log RENAME TO scim_log_away`);
    try {
      await run();
    } finally {
      await query(`ALTER TABLE scim_log_away RENAME TO scim_log`);
    }
    expect(await query(`SELECT FROM scim_sync_runs WHERE id = $1`, [old])).toEqual([]);
    const warnings = test.log.filter((line) => line.includes('Old rows of the provisioning log could not be removed'));
    expect(warnings).toHaveLength(1);
  });

  it('stay if the process is not a worker', async () => {
    const old = await addRun(RUN_DAYS, -5, 0);
    const idle = await createTestApp({ database: test.database, env: { RUN: 'api', RUN_RETENTION_DAYS: '1' } });
    try {
      await idle.app.get(RowRetention).run();
      expect(await query(`SELECT FROM scim_sync_runs WHERE id = $1`, [old])).toHaveLength(1);
    } finally {
      await idle.close();
    }
  });
});
