import { TELL_DOWN, TELL_RECOVERED } from '../../../src/gateway/administration/upstream-outages.sql';
import { OWN_PRINCIPAL } from '../../../src/gateway/upstreams/upstream';
import {
  FIND_SESSION,
  HOLD_SESSION,
  LEAVE_SESSIONS,
  REMOVE_IDLE,
} from '../../../src/gateway/upstreams/upstream-sessions.sql';
import {
  CLAIM_DUE,
  DEFINITION_SIZES,
  DEFINITIONS,
  ENSURE,
  LISTENABLE,
  TOOL,
} from '../../../src/gateway/upstreams/upstreams.sql';
import { MIN_ID } from '../../../src/database/id';
import { createDatabase, type TestDatabase } from '../../support/database';

/** 5,000 upstreams, most of them out of use, with 100,000 definitions and 20,000 sessions. */
describe('The plans of statements about upstreams', () => {
  let database: TestDatabase;
  let ids: string[];

  beforeAll(async () => {
    database = await createDatabase();
    const { dataSource } = database;
    await dataSource.query(`
      INSERT INTO upstreams (id, digest, url, headers, capabilities, listed_at, used_at, due_at)
      SELECT uuid_v7(), sha256(convert_to(n::text, 'UTF8')), 'https://example.com/' || n, '{}', '{"tools": {"listChanged": true}}', now(),
             now() - n * interval '1 minute', CASE WHEN n > 1440 THEN 'infinity' ELSE now() + n * interval '1 second' END
      FROM generate_series(1, 5000) AS n`);
    await dataSource.query(`
      INSERT INTO upstream_definitions (upstream_id, kind, name, digest, place, body, is_listed)
      SELECT id, 'tool', 'tool ' || n, sha256(convert_to(n::text, 'UTF8')), n, '{}', n <= 15
      FROM upstreams CROSS JOIN generate_series(1, 20) AS n`);
    await dataSource.query(`
      INSERT INTO upstream_sessions (principal, entry_id, upstream_id, capabilities, revision, used_at)
      SELECT 'user ' || n % 1000, uuid_v7(), (SELECT id FROM upstreams LIMIT 1), '', '2025-11-25', now() - n * interval '100 milliseconds'
      FROM generate_series(1, 20000) AS n`);
    // One entry for each, of bundles that no foreign key asks for here.
    await dataSource.query(`
      BEGIN;
      SET LOCAL session_replication_role = replica;
      INSERT INTO endpoint_upstreams (bundle_id, entry_id, upstream_id) SELECT uuid_v7(), uuid_v7(), id FROM upstreams;
      COMMIT`);
    await dataSource.query(`ANALYZE upstreams, upstream_definitions, upstream_sessions, endpoint_upstreams`);
    ids = (await dataSource.query<{ id: string }[]>(`SELECT id FROM upstreams LIMIT 20`)).map(({ id }) => id);
  });

  afterAll(() => database.drop());

  it.each<[string, string, () => unknown[], RegExp]>([
    ['what is due', CLAIM_DUE.sql, () => [12, 6], /upstreams_due_at_idx/],
    ['the definition of a tool', TOOL.sql, () => [ids[0], 'tool 1'], /upstream_definitions_pkey/],
    ['the definitions of a bundle', DEFINITIONS.sql, () => [ids, ids.map(() => 1)], /upstream_definitions_pkey/],
    ['their sizes', DEFINITION_SIZES.sql, () => [ids, ids.map(() => 1)], /upstream_definitions_pkey/],
    [
      'known addresses',
      ENSURE.sql,
      () => [[Buffer.alloc(32)], ['https://example.com/'], ['{}'], [null], ['{}']],
      /upstreams_digest_key/,
    ],
    ['a session', FIND_SESSION.sql, () => ['user 1', MIN_ID, ids[0], Buffer.alloc(0)], /upstream_sessions_pkey/],
    [
      'a session to hold',
      HOLD_SESSION.sql,
      () => ['user 1', MIN_ID, ids[0], Buffer.alloc(0), Buffer.alloc(32), null],
      /upstream_sessions_pkey/,
    ],
    ['sessions to leave', LEAVE_SESSIONS, () => ['user 1', Buffer.alloc(32)], /upstream_sessions_pkey/],
    ['upstreams that are down', TELL_DOWN, () => [], /upstreams_down_since_idx/],
    ['entries that are said to be down', TELL_RECOVERED, () => [], /endpoint_upstreams_down_idx/],
    ['idle sessions', REMOVE_IDLE, () => [100], /upstream_sessions_used_at_idx/],
    [
      'upstreams to listen to',
      LISTENABLE,
      () => [200, OWN_PRINCIPAL, MIN_ID, Buffer.alloc(0), Buffer.alloc(16)],
      /upstreams_used_at_idx/,
    ],
  ])('find %s by an index, and read no table as a whole', async (_, sql, values, index) => {
    const rows = await database.dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${sql}`, values());
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on (?:upstream_definitions|upstream_sessions|endpoint_upstreams)/);
  });
});
