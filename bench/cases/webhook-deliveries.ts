import type { Client } from 'pg';
import { DECLARED } from '../../src/app.module';
import { type DeliveryFilter, listDeliveries } from '../../src/webhooks/deliveries/delivery-list.sql';
import { type BenchCase, type BenchSettings, type Figure, median } from '../measure';
import { type Service, startService } from '../service';

const FEW_ATTEMPTS = 10_000;
/** One in this many deliveries belongs to one of the other endpoints. */
const ELSEWHERE = 50;
const BEGIN = Date.parse('2026-10-01T00:00:00.000Z');
const SPAN_MS = 30 * 24 * 3_600_000;
const PLACES = 20;

/** All but one, so that there is a type without deliveries. */
const TYPES = DECLARED.events.types.slice(0, -1);
const ABSENT = DECLARED.events.types.at(-1) ?? '';

/** An instant within the time of the deliveries; a different one for each request. */
const instant = (place: number, hours = 0) =>
  new Date(BEGIN + ((place % PLACES) + 0.5) * (SPAN_MS / PLACES) + hours * 3_600_000).toISOString();

/** The filters, each time at a different place if that makes a difference. */
const QUERIES: [name: string, query: (place: number) => DeliveryFilter, limit?: number][] = [
  ['no filter', () => ({})],
  ['one hour', (place) => ({ from: instant(place), to: instant(place, 1) })],
  ['status=SUCCEEDED', () => ({ status: 'SUCCEEDED' })],
  ['status=FAILED', () => ({ status: 'FAILED' })],
  ['status=FAILED, limit=100', () => ({ status: 'FAILED' }), 100],
  ['status=PENDING', () => ({ status: 'PENDING' })],
  ['event_type', () => ({ event_type: 'bundle.created' })],
  ['response_class=5xx', () => ({ response_class: '5xx' })],
  ['response_class=none', () => ({ response_class: 'none' })],
  ['all three', () => ({ status: 'FAILED', response_class: '5xx', event_type: 'bundle.created' })],
  [
    'all three, deep',
    (place) => ({ status: 'FAILED', response_class: '5xx', event_type: 'bundle.created', to: instant(place) }),
  ],
  ['status=FAILED, deep', (place) => ({ status: 'FAILED', to: instant(place) })],
  ['status=FAILED, one hour', (place) => ({ status: 'FAILED', from: instant(place), to: instant(place, 1) })],
  ['a rare class', () => ({ response_class: '3xx' })],
  ['a type that does not exist', () => ({ event_type: ABSENT })],
  ['a combination that does not occur', () => ({ status: 'SUCCEEDED', response_class: '5xx' })],
];

interface Target {
  service: Service;
  endpointId: string;
}

/**
 * `GET /v1/webhooks/{endpoint_id}/deliveries` over HTTP, for an endpoint with nearly all of 10,000,000 attempts and for
 * one with nearly all of 10,000: the 95th percentile of the duration of sequential requests.
 */
export const webhookDeliveries: BenchCase = async (settings) => {
  // No worker, which would send pending deliveries.
  const env = { LOG_LEVEL: 'warn', RUN: 'api' };
  const services = [
    await startService(settings, 'bench_deliveries_few', 3941, env),
    await startService(settings, 'bench_deliveries_many', 3942, env),
  ] as const;
  try {
    const few = await prepare(services[0], FEW_ATTEMPTS);
    const many = await prepare(services[1], settings.attempts);
    if (settings.explain) await explain(many);
    const figures: Figure[] = [];
    for (const [name, query, limit = 30] of QUERIES) {
      const paths = (target: Target) =>
        Array.from({ length: PLACES }, (_, place) => pathOf(target.endpointId, query(place), limit));
      figures.push(await compare(settings, name, many, few, paths(many), paths(few)));
    }
    figures.push(await compare(settings, 'a deep cursor', many, few, await cursors(many), await cursors(few)));
    return figures;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
};

async function compare(
  { rounds, seconds, attempts }: BenchSettings,
  name: string,
  many: Target,
  few: Target,
  manyPaths: string[],
  fewPaths: string[],
): Promise<Figure> {
  const requests = seconds * 50;
  const times = { many: [] as number[], few: [] as number[] };
  await slowest(many, manyPaths, requests / 2); // warm-up
  await slowest(few, fewPaths, requests / 2);
  for (let round = 0; round < rounds; round++) {
    times.many.push(await slowest(many, manyPaths, requests));
    times.few.push(await slowest(few, fewPaths, requests));
  }
  const ratios = times.many.map((value, index) => value / (times.few[index] ?? NaN));
  return {
    name: `deliveries of ${attempts} attempts: ${name}`,
    median: median(times.many),
    unit: 'ms p95',
    rounds: times.many,
    ratio: { to: `the same of ${FEW_ATTEMPTS}, ${median(times.few).toPrecision(3)} ms`, value: median(ratios) },
    goal: '≤ 2',
  };
}

/** @returns the 95th percentile in milliseconds */
async function slowest({ service }: Target, paths: string[], requests: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const started = performance.now();
    await service.call('GET', paths[n % paths.length] ?? '');
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? NaN;
}

function pathOf(endpointId: string, filter: DeliveryFilter, limit: number): string {
  const query = new URLSearchParams({ ...(JSON.parse(JSON.stringify(filter)) as object), limit: String(limit) });
  return `/v1/webhooks/${endpointId}/deliveries?${query.toString()}`;
}

/** The second pages after many different positions. */
async function cursors({ service, endpointId }: Target): Promise<string[]> {
  const paths: string[] = [];
  for (let place = 1; place < PLACES; place++) {
    const response = await fetch(service.url + pathOf(endpointId, { to: instant(place) }, 30), {
      headers: { Authorization: `Bearer ${service.token}` },
    });
    await response.text();
    const { pathname, search } = new URL(/^<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '');
    paths.push(pathname + search);
  }
  return paths;
}

async function explain({ service, endpointId }: Target): Promise<void> {
  for (const [name, query, limit = 30] of QUERIES) {
    const [sql, parameters] = listDeliveries(endpointId, { filter: query(3), after: null, take: limit + 1 });
    const { rows } = await service.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${sql}`,
      parameters,
    );
    process.stdout.write(`\n${name}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
  }
}

/** @param attempts two for each delivery, on average */
async function prepare(service: Service, attempts: number): Promise<Target> {
  const { body } = await service.call('POST', '/v1/webhooks', {
    target_url: 'https://198.51.99.1/hooks',
    event_types: TYPES,
  });
  const { id } = body as { id: string };
  await fill(service.database, id, attempts / 2);
  return { service, endpointId: id };
}

/** The indexes are created afterwards, which takes a fraction of the time. */
async function fill(database: Client, endpointId: string, deliveries: number): Promise<void> {
  await database.query(`SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'`);
  const indexes = await dropIndexes(database, ['webhook_deliveries', 'webhook_attempts', 'webhook_queue']);
  await database.query(
    `CREATE TEMP TABLE others AS SELECT place, uuid_v7() AS id FROM generate_series(0, 99) AS place`,
  );
  const id = (offset: number) => `
    (lpad(to_hex(${BEGIN} + (n * (${SPAN_MS}::float8 / ${deliveries}))::bigint - ${offset}), 12, '0')
      || '7' || substr(hash, ${1 + offset}, 3) || '8' || substr(hash, 5, 15))::uuid`;
  await database.query(
    `INSERT INTO webhook_deliveries
       (endpoint_id, id, event_id, event_type, status, attempt_count, response_status, response_class, last_attempt_at)
     SELECT COALESCE(others.id, $1), ${id(0)}, ${id(1)},
            -- Some are many times as frequent as others.
            ($2::text[])[1 + ((a::bigint * a * ${TYPES.length}) >> 32)],
            state, CASE WHEN b % 20 < 16 THEN 1 WHEN b % 20 < 19 THEN 4 ELSE 12 END,
            answer, COALESCE(answer / 100, 0), to_timestamp((${BEGIN} + n) / 1000.0)
     FROM (SELECT *, CASE WHEN state = 'SUCCEEDED' THEN 204
                          WHEN is_odd THEN 301
                          ELSE (ARRAY[404, 429, 500, 503, NULL])[1 + b % 5] END AS answer
           FROM (SELECT n, md5(n::text) AS hash, hashint8(n) & 65535 AS a, hashint8(n + 1000003) & 65535 AS b,
                        n % 400009 = 17 AS is_odd
                 FROM generate_series(1, $3::bigint) AS n) AS random
           CROSS JOIN LATERAL (SELECT CASE WHEN is_odd THEN 'FAILED' WHEN b < 60000 THEN 'SUCCEEDED'
                                           WHEN b < 64200 THEN 'FAILED' WHEN b < 65000 THEN 'CANCELLED'
                                           ELSE 'PENDING' END AS state) AS decided) AS made
     LEFT JOIN others ON n % ${ELSEWHERE} = 0 AND others.place = a % 100`,
    [endpointId, TYPES, deliveries],
  );
  await database.query(
    `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_body, error)
     SELECT id, number, last_attempt_at, 50, response_status, 'ok', CASE WHEN status <> 'SUCCEEDED' THEN 'http_status' END
     FROM webhook_deliveries CROSS JOIN LATERAL generate_series(1, attempt_count) AS number`,
  );
  await database.query(
    `INSERT INTO webhook_queue (delivery_id, endpoint_id, event_id, generation, attempt, due_at)
     SELECT id, endpoint_id, event_id, 1, attempt_count, now() FROM webhook_deliveries WHERE status = 'PENDING'`,
  );
  for (const index of indexes) await database.query(index);
  await database.query(`VACUUM ANALYZE webhook_deliveries, webhook_attempts, webhook_queue`);
  await database.query('CHECKPOINT');
  const { rows } = await database.query<{ attempts: string; deliveries: string }>(
    `SELECT (SELECT count(*) FROM webhook_attempts) AS attempts,
            (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1) AS deliveries`,
    [endpointId],
  );
  process.stderr.write(`  ${rows[0]?.attempts} attempts, ${rows[0]?.deliveries} deliveries of the endpoint\n`);
}

/** @returns the statements that recreate them */
async function dropIndexes(database: Client, tables: string[]): Promise<string[]> {
  const { rows } = await database.query<{ drop: string; make: string }>(
    `SELECT CASE WHEN owner.oid IS NULL THEN format('DROP INDEX %I', index.relname)
                 ELSE format('ALTER TABLE %I DROP CONSTRAINT %I', of.relname, owner.conname) END AS drop,
            CASE WHEN owner.oid IS NULL THEN pg_get_indexdef(index.oid)
                 ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', of.relname, owner.conname,
                             pg_get_constraintdef(owner.oid)) END AS make
     FROM pg_index
     JOIN pg_class AS index ON index.oid = pg_index.indexrelid
     JOIN pg_class AS of ON of.oid = pg_index.indrelid
     LEFT JOIN pg_constraint AS owner ON owner.conindid = index.oid
     WHERE of.relname = ANY ($1)`,
    [tables],
  );
  for (const { drop } of rows) await database.query(drop);
  return rows.map(({ make }) => make);
}
