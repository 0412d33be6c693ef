import type { Client } from 'pg';
import { type BenchCase, type BenchSettings, median } from '../measure';
import { type Service, startService } from '../service';

const CHILDREN = 10_000;
/** In each of the six child tables. */
const OTHERS = 200_000;
const OTHER_BUNDLES = 1_000;
const CHILD_TABLES = [
  'bundle_entries',
  'bundle_access_tokens',
  'bundle_follows',
  'bundle_editors',
  'bundle_deployments',
  'bundle_versions',
];

/** Deleting a bundle with 10,000 of each child, beside 1,200,000 rows of other bundles and alone in the tables. */
export const bundleDeletion: BenchCase = async (settings) => {
  const alone = await prepare(settings, 'bench_deletion_alone', 3931);
  const crowded = await prepare(settings, 'bench_deletion_crowded', 3932);
  await addOthers(crowded);
  const times = { alone: [] as number[], crowded: [] as number[] };
  try {
    await remove(alone);
    await remove(crowded);
    for (let round = 0; round < settings.rounds; round++) {
      times.alone.push(await remove(alone));
      times.crowded.push(await remove(crowded));
    }
  } finally {
    await Promise.all([alone.stop(), crowded.stop()]);
  }
  const ratios = times.crowded.map((value, index) => value / (times.alone[index] ?? NaN));
  const name = 'bundle deletion, alone in the tables';
  return [
    {
      name: 'bundle deletion, beside 1,200,000 rows',
      median: median(times.crowded),
      unit: 's',
      rounds: times.crowded,
      ratio: { to: name, value: median(ratios) },
      goal: '≤ 1.5',
    },
    { name, median: median(times.alone), unit: 's', rounds: times.alone },
  ];
};

async function prepare(settings: BenchSettings, name: string, port: number): Promise<Service> {
  const service = await startService(settings, name, port, { LOG_LEVEL: 'warn' });
  const { database } = service;
  await database.query(
    `INSERT INTO users (id, email) SELECT uuid_v7(), n || '@example.com' FROM generate_series(1, ${CHILDREN}) AS n`,
  );
  await database.query(
    `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('A', 'a', '', 'box', 1)`,
  );
  await database.query(
    `INSERT INTO listings (id, name, slug, title, description, category_id, visibility)
     SELECT uuid_v7(), 'bench/' || n, 'bench-' || n, 'B', 'B', 1, 'PUBLIC' FROM generate_series(1, ${CHILDREN}) AS n`,
  );
  return service;
}

/** Times one deletion of a bundle created for it; the tables have the statistics of a running service. */
async function remove(service: Service): Promise<number> {
  const { id } = (await service.call('POST', '/v1/bundles', { name: 'Doomed' })).body as { id: string };
  await addChildren(service.database, id, CHILDREN);
  for (const table of CHILD_TABLES) {
    const { rows } = await service.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} WHERE bundle_id = $1`,
      [id],
    );
    if (rows[0]?.n !== CHILDREN) throw new Error(`${table} has ${rows[0]?.n} rows of the bundle, not ${CHILDREN}.`);
  }
  await service.database.query('ANALYZE');
  await service.database.query('CHECKPOINT');
  const started = performance.now();
  await service.call('DELETE', `/v1/bundles/${id}`);
  return (performance.now() - started) / 1_000;
}

/** Bundles of another user: one user has at most 500. */
async function addOthers({ database, userId }: Service): Promise<void> {
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO bundles (id, name, slug, owner_id)
     SELECT uuid_v7(), 'Other', 'other-' || n, (SELECT id FROM users WHERE id <> $1 LIMIT 1)
     FROM generate_series(1, ${OTHER_BUNDLES}) AS n RETURNING id`,
    [userId],
  );
  for (const { id } of rows) await addChildren(database, id, OTHERS / OTHER_BUNDLES);
  await database.query('VACUUM ANALYZE');
}

async function addChildren(database: Client, bundleId: string, count: number): Promise<void> {
  const people = `SELECT id, row_number() OVER (ORDER BY id) AS n FROM users ORDER BY id LIMIT ${count}`;
  const statements = [
    `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position)
     SELECT uuid_v7(), $1, id, name, slug, row_number() OVER (ORDER BY id) FROM listings ORDER BY id LIMIT ${count}`,
    `INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes)
     SELECT $1, n, '[]', 0, 'CREATED', '{}' FROM generate_series(1, ${count}) AS n ON CONFLICT DO NOTHING`,
    `INSERT INTO bundle_access_tokens (id, bundle_id, name, prefix, digest, created_by)
     SELECT uuid_v7(), $1, 'Token', 'tyb_', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), bundles.owner_id
     FROM bundles CROSS JOIN generate_series(1, ${count}) WHERE bundles.id = $1`,
    `INSERT INTO bundle_follows (bundle_id, user_id) SELECT $1, id FROM (${people}) AS people`,
    `INSERT INTO bundle_editors (bundle_id, user_id) SELECT $1, id FROM (${people}) AS people`,
    `INSERT INTO bundle_deployments (id, bundle_id, name, environment, status, bundle_version)
     SELECT uuid_v7(), $1, 'Deployment', 'production', 'RUNNING', n FROM generate_series(1, ${count}) AS n`,
  ];
  for (const statement of statements) await database.query(statement, [bundleId]);
}
