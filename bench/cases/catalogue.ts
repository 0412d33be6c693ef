import { join } from 'node:path';
import type { Client } from 'pg';
import { listStatement as searchStatement } from '../../src/catalog/listings/listing-search.sql';
import { listStatement, type Position } from '../../src/catalog/registry/registry.sql';
import { loadCatalogue } from '../catalogue';
import { alternate, type BenchCase, type BenchSettings, compared, type Figure, median, startServer } from '../measure';
import { type Service, startService } from '../service';

const DEPTH = 40_000;
const PAGE = 101;
/** Requests per round of latencies, one after the other. */
const REQUESTS = 200;

/** Search texts: words and names, names typed in part, and typing errors. */
const HITS = ['weather', 'github', 'mcp server', 'postgres', 'ai.waystation/gmail', 'forcast', 'a', 'io', 'se', 'sla'];
const NO_HITS = ['xyzzyplugh', 'qwrtzxcv', 'zzz zzz', 'io.github.nobody/nothing-of-that-name'];

const REGISTRY = '/v0.1/servers?version=latest&limit=100';

interface Statement {
  sql: string;
  values: unknown[];
}

/**
 * The registry API and the search over 80,000 versions, against bare Express with the one query that each needs. Without a
 * hit, the search has a second one, for words of a similar spelling, which the reference does not have.
 */
export const catalogue: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_catalogue', 3951);
  try {
    const count = await loadCatalogue(service.database);
    process.stderr.write(`${count} versions\n`);
    const registry = (search?: string) =>
      listStatement({ orgId: null, version: 'latest', search, includeDeleted: false }, null, PAGE);
    const search = (text: string) =>
      searchStatement({ userId: service.userId, scope: 'public', search: text }, 'relevance', null, 31);
    return [
      ...(await pages(service.database, settings.explain)),
      ...(await against(
        service,
        settings,
        3952,
        'registry list',
        '/v0.1/servers?version=latest&limit=100',
        registry(),
      )),
      ...(await against(
        service,
        settings,
        3953,
        'registry search',
        '/v0.1/servers?version=latest&limit=100&search=weather',
        registry('weather'),
      )),
      ...(await against(
        service,
        settings,
        3954,
        'registry search without a hit',
        '/v0.1/servers?version=latest&limit=100&search=xyzzyplugh',
        registry('xyzzyplugh'),
      )),
      ...(await against(
        service,
        settings,
        3955,
        'listing search',
        '/v1/mcp/listings?search=weather',
        search('weather'),
      )),
      ...(await against(
        service,
        settings,
        3956,
        'listing search without a hit',
        '/v1/mcp/listings?search=xyzzyplugh',
        search('xyzzyplugh'),
      )),
      ...(await latencies(service, settings, 'listing search', '/v1/mcp/listings?search=', HITS)),
      ...(await latencies(service, settings, 'listing search without a hit', '/v1/mcp/listings?search=', NO_HITS)),
      ...(await latencies(service, settings, 'registry search', `${REGISTRY}&search=`, HITS)),
      ...(await latencies(service, settings, 'registry search without a hit', `${REGISTRY}&search=`, NO_HITS)),
    ];
  } finally {
    await service.stop();
  }
};

/** The execution time in PostgreSQL of the statement of a page, first and at depth. */
async function pages(database: Client, explain: boolean): Promise<Figure[]> {
  const filter = { orgId: null, includeDeleted: false };
  const { rows } = await database.query<{ server_name: string; version: string; updated_at: Date }>(
    `SELECT server_name, version, updated_at FROM listing_versions
     ORDER BY server_name COLLATE "C", version COLLATE "C" OFFSET $1 LIMIT 1`,
    [DEPTH],
  );
  const at: Position = [rows[0]?.server_name ?? '', rows[0]?.version ?? '', ''];
  const first = await timesOf(database, listStatement(filter, null, PAGE), explain);
  const deep = await timesOf(database, listStatement(filter, at, PAGE), explain);
  const depth = 'a page of 100 at depth 40,000, in SQL';
  return [
    { name: 'the first page of 100, in SQL', median: median(first), unit: 'ms', rounds: first },
    {
      name: depth,
      median: median(deep),
      unit: 'ms',
      rounds: deep,
      ratio: { to: 'the first page', value: median(deep) / median(first) },
      goal: '≤ 1.5, ≤ 2 ms',
    },
  ];
}

/** The latency of a single client over HTTP. */
async function latencies(
  service: Service,
  { rounds }: BenchSettings,
  name: string,
  path: string,
  texts: readonly string[],
): Promise<Figure[]> {
  const quantiles: Record<'p50' | 'p95', number[]> = { p50: [], p95: [] };
  for (let round = -1; round < rounds; round++) {
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const begin = performance.now();
      await service.call('GET', path + encodeURIComponent(texts[n % texts.length] ?? ''));
      times.push(performance.now() - begin);
    }
    if (round < 0) continue; // warm-up
    times.sort((a, b) => a - b);
    quantiles.p50.push(times[Math.floor(REQUESTS * 0.5)] ?? NaN);
    quantiles.p95.push(times[Math.floor(REQUESTS * 0.95)] ?? NaN);
  }
  const figure = (quantile: 'p50' | 'p95', goal?: string): Figure => ({
    name: `${name}, ${quantile} over HTTP`,
    median: median(quantiles[quantile]),
    unit: 'ms',
    rounds: quantiles[quantile],
    goal,
  });
  return [figure('p50'), figure('p95', '≤ 50 ms')];
}

async function timesOf(database: Client, { sql, values }: Statement, explain: boolean): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 15; round++) {
    const { rows } = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${sql}`, values);
    const lines = rows.map((row) => row['QUERY PLAN']);
    times.push(Number(/[\d.]+/.exec(lines.at(-1) ?? '')?.[0]));
    if (explain && round === 14) process.stderr.write(`${lines.join('\n')}\n`);
  }
  return times.slice(5);
}

async function against(
  service: Service,
  settings: BenchSettings,
  port: number,
  name: string,
  path: string,
  { sql, values }: Statement,
): Promise<Figure[]> {
  if (settings.explain) await timesOf(service.database, { sql, values }, true);
  const script = join(__dirname, '..', 'references', 'bare-express-query.js');
  const env = { DATABASE_URL: service.databaseUrl, QUERY: sql, VALUES: JSON.stringify(values) };
  const reference = await startServer(script, port, env, '/');
  const bare = `bare Express with the query of the ${name}`;
  try {
    const rounds = await alternate(
      [
        { name, url: service.url + path, headers: { authorization: `Bearer ${service.token}` } },
        { name: bare, url: reference.url },
      ],
      settings,
    );
    return [compared(rounds, name, bare, '≥ 0.5')];
  } finally {
    await reference.stop();
  }
}
