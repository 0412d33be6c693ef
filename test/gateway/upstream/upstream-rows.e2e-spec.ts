import {
  FORGET_UNLISTED,
  NOTE_USE,
  REMOVE_UNLISTED,
  REMOVE_UNUSED,
} from '../../../src/gateway/upstreams/upstreams.sql';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';

describe('Rows about upstreams', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(() => database.drop());

  const sql = <Row>(text: string, values: unknown[] = []) => database.dataSource.query<Row[]>(text, values);
  const create = async (usedAgo: string) => {
    const [row] = await sql<{ id: string }>(
      `INSERT INTO upstreams (id, digest, url, headers, used_at)
       VALUES (uuid_v7(), convert_to(uuid_v7()::text, 'UTF8'), 'https://example.com', '{}', now() - $1::interval) RETURNING id`,
      [usedAgo],
    );
    return row?.id ?? '';
  };
  const define = (id: string, count: number, isListed: boolean, seenAgo: string) =>
    sql(
      `INSERT INTO upstream_definitions (upstream_id, kind, name, digest, place, body, is_listed, last_seen_at)
       SELECT $1, 'tool', 'tool ' || n, convert_to($3::boolean || $4::text || n, 'UTF8'), n, '{}', $3, now() - $4::text::interval - n * interval '1 millisecond'
       FROM generate_series(1, $2::int) AS n`,
      [id, count, isListed, seenAgo],
    );
  const names = (id: string) =>
    sql<{ count: number }>(`SELECT count(*)::int AS count FROM upstream_definitions WHERE upstream_id = $1`, [id]);

  it('are removed when no bundle has used the upstream for thirty days, twenty at once', async () => {
    const used = await create('29 days');
    await define(used, 5, true, '1 year');
    for (let n = 0; n < 25; n++) await define(await create('31 days'), 2, true, '1 day');
    await sql(REMOVE_UNUSED, [new Date(), 1_000]);
    expect(await sql(`SELECT FROM upstreams`)).toHaveLength(6);
    await sql(REMOVE_UNUSED, [new Date(), 1_000]);
    expect(await sql(`SELECT id FROM upstreams`)).toEqual([{ id: used }]);
    expect(await names(used)).toEqual([{ count: 5 }]);
  });

  it('are removed ninety days after a definition was listed', async () => {
    const id = await create('1 minute');
    await define(id, 3, true, '1 year');
    await define(id, 3, false, '91 days');
    await define(id, 3, false, '89 days');
    await sql(REMOVE_UNLISTED, [new Date(), 2]);
    expect(await names(id)).toEqual([{ count: 7 }]);
    await sql(REMOVE_UNLISTED, [new Date(), 1_000]);
    expect(await names(id)).toEqual([{ count: 6 }]);
  });

  it('are noted as used in the order of their ids, so that two processes never wait for each other', async () => {
    // The greater one precedes the other in the table.
    const ids = ['ffffffff-0000-7000-8000-000000000000', '00000000-0000-7000-8000-000000000000'];
    for (const id of ids)
      await sql(
        `INSERT INTO upstreams (id, digest, url, headers, used_at)
         VALUES ($1, convert_to($1::uuid::text, 'UTF8'), 'https://example.com', '{}', now() - interval '1 hour')`,
        [id],
      );
    const other = database.dataSource.createQueryRunner();
    await other.startTransaction();
    try {
      await other.query(`SELECT FROM upstreams WHERE id = $1 FOR UPDATE`, [ids[1]]);
      const noted = sql(NOTE_USE.sql, [ids]);
      await eventually(
        () => sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
        ({ length }) => length === 1,
        3_000,
      );
      await other.query(`SELECT FROM upstreams WHERE id = $1 FOR UPDATE NOWAIT`, [ids[0]]);
      await other.commitTransaction();
      await noted;
    } finally {
      if (other.isTransactionActive) await other.rollbackTransaction();
      await other.release();
    }
    expect(
      await sql(`SELECT FROM upstreams WHERE id = ANY ($1) AND used_at > now() - interval '1 minute'`, [ids]),
    ).toHaveLength(2);
  });

  it('are bounded for an upstream that changes its definitions all the time', async () => {
    const id = await create('1 minute');
    await define(id, 10, true, '1 minute');
    await define(id, 4_100, false, '1 day');
    await sql(FORGET_UNLISTED, [id]);
    expect(await names(id)).toEqual([{ count: 4_010 }]);
    // The oldest ones.
    expect(await sql(`SELECT FROM upstream_definitions WHERE upstream_id = $1 AND name = 'tool 4001'`, [id])).toEqual(
      [],
    );
    // Large ones: 16 MiB of them.
    await sql(
      `UPDATE upstream_definitions SET body = repeat('x', 256 * 1024) WHERE upstream_id = $1 AND (is_listed OR place <= 100)`,
      [id],
    );
    await sql(FORGET_UNLISTED, [id]);
    expect(await names(id)).toEqual([{ count: 10 + 64 }]);
  });
});
