import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { loadCatalogue } from '../catalogue';
import { cpuOf, type MeasuredService } from '../cpu';
import { type BenchCase, type BenchSettings, type Figure, load, median, type Server, startServer } from '../measure';
import { ALL_CORES, parentOf, pin } from '../pin';
import { type Service, startReplica, startService } from '../service';

const CORE = 1;
const PAGE = 'servers?limit=100';
/** A server with 16 versions in the real registry. */
const VERSIONS = 16;

interface Request {
  name: string;
  path: string;
  /** CPU ms of server and database together. */
  goal: number;
}

/**
 * The requests of registry clients, over 2,600 and 78,000 versions: CPU time of the service and its database together,
 * and requests per second on the one core that both share, against bare Express with the same bytes on the same core.
 * From memory, and with a service that keeps nothing in memory.
 */
export const registryRequests: BenchCase = async (settings) => {
  pin(process.pid, 0);
  try {
    return [...(await over(settings, 1, 3970)), ...(await over(settings, 30, 3975))];
  } finally {
    pin(process.pid, ALL_CORES);
  }
};

async function over(settings: BenchSettings, copies: number, port: number): Promise<Figure[]> {
  const env = { LOG_LEVEL: 'warn', RUN: 'api' };
  const kept = await startService(settings, `bench_registry_requests_${copies}`, port, env);
  let unkept: Server | undefined;
  let postmaster: number | undefined;
  try {
    const count = await loadCatalogue(kept.database, copies);
    unkept = await startReplica(settings, kept.databaseUrl, port + 1, { ...env, REGISTRY_CACHE_MIB: '0' });
    const { rows } = await kept.database.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
    postmaster = parentOf(Number(rows[0]?.pid));
    for (const pid of [kept.pid, unkept.pid, postmaster]) pin(pid, CORE);
    const figures: Figure[] = [];
    for (const request of await requestsOf(kept, copies)) {
      process.stderr.write(`  ${request.name}\n`);
      figures.push(...(await compare(settings, request, `${count} versions`, kept, unkept, port + 2)));
    }
    return figures;
  } finally {
    if (postmaster !== undefined) pin(postmaster, ALL_CORES);
    await unkept?.stop();
    await kept.stop();
  }
}

async function requestsOf({ database, url }: Service, copies: number): Promise<Request[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT server_name AS name FROM listing_versions GROUP BY 1 ORDER BY abs(count(*) - $1), 1 LIMIT 1`,
    [VERSIONS],
  );
  const server = `/v0.1/servers/${encodeURIComponent(rows[0]?.name ?? '')}`;
  const isSmall = copies === 1;
  return [
    { name: 'one server, versions/latest', path: `${server}/versions/latest`, goal: 0.25 },
    { name: 'one server, all versions', path: `${server}/versions`, goal: 0.8 },
    { name: 'first page of 100', path: `/v0.1/${PAGE}`, goal: 1 },
    { name: 'version=latest, 100', path: `/v0.1/${PAGE}&version=latest`, goal: 1 },
    { name: 'page at 80 %, 100', path: await deepPage(url, Math.floor(0.8 * 26 * copies)), goal: 4 },
    { name: 'search github, 30', path: '/v0.1/servers?limit=30&search=github', goal: isSmall ? 1.5 : 2 },
    { name: 'search postgres, 30', path: '/v0.1/servers?limit=30&search=postgres', goal: 2 },
    { name: 'search without a hit', path: '/v0.1/servers?limit=30&search=xyzzyplugh', goal: 0.8 },
  ];
}

/** Follows the cursor, since cursors are signed. */
async function deepPage(url: string, pages: number): Promise<string> {
  let path = `/v0.1/${PAGE}`;
  for (let page = 0; page < pages; page++) {
    const { metadata } = (await (await fetch(url + path)).json()) as { metadata: { nextCursor?: string } };
    path = `/v0.1/${PAGE}&cursor=${metadata.nextCursor}`;
  }
  return path;
}

async function compare(
  settings: BenchSettings,
  { name, path, goal }: Request,
  size: string,
  kept: Service,
  unkept: Server,
  port: number,
): Promise<Figure[]> {
  const body = join(settings.dataDir, 'answer.json');
  writeFileSync(body, await (await fetch(kept.url + path)).text());
  const express = await startServer(
    join(__dirname, '..', 'references', 'bare-express-bytes.js'),
    port,
    { BODY: body },
    '/',
  );
  pin(express.pid, CORE);
  const targets = [
    { name: 'from memory', url: kept.url + path, pid: kept.pid },
    { name: 'from the database', url: unkept.url + path, pid: unkept.pid },
    { name: 'bare Express with these bytes', url: express.url, pid: express.pid },
  ];
  const cpu = targets.map((): number[] => []);
  const rates = targets.map((): number[] => []);
  try {
    for (const target of targets) await load(target, 1); // warm-up
    for (let round = 0; round < settings.rounds; round++) {
      for (const [index, target] of targets.entries()) {
        const measured: MeasuredService = { pid: target.pid, database: kept.database };
        const before = await cpuOf(measured);
        const { requests, perSecond } = await load(target, settings.seconds);
        const after = await cpuOf(measured);
        const used = after.service - before.service + after.database - before.database;
        cpu[index]?.push(used / requests);
        rates[index]?.push(perSecond);
      }
    }
  } finally {
    await express.stop();
  }
  const reference = rates[2] ?? [];
  return targets.slice(0, 2).flatMap((target, index) => {
    const [times, own] = [cpu[index] ?? [], rates[index] ?? []];
    const value = median(own.map((rate, round) => rate / (reference[round] ?? NaN)));
    const title = `${name}, ${size}, ${target.name}`;
    return [
      {
        name: `${title}: CPU`,
        median: median(times),
        unit: 'ms',
        rounds: times,
        goal: index === 0 ? `≤ ${goal}` : undefined,
      },
      { name: title, median: median(own), unit: 'requests/s', rounds: own, ratio: { to: 'bare Express', value } },
    ];
  });
}
