import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from '../cpu';
import { quantile } from '../directory';
import { type BenchCase, type BenchSettings, compared, type Figure, load } from '../measure';
import { send } from '../send';
import { startReplica, startService, tokenFor } from '../service';
import { sendSteadily } from '../steady-caller';
import { createCategories } from './categories';

const CATEGORIES = '/v1/mcp/categories';
/** Reads the database each time. */
const BUNDLES = '/v1/bundles';

/** Requests per minute of a principal: the default. */
const PER_MINUTE = 3_000;
/** How much more than that the other principal sends. */
const TIMES_THE_RATE = 10;
const WARM_UP_S = 4;
/** Between two requests of the principal who keeps to the limits. */
const PAUSE_MS = 25;
/** Until its burst is used up, which is within its limits. */
const HEAD_START_S = 3;
/** A second of these has few requests, so it takes more rounds than the hot path. */
const ROUNDS_OF_NEIGHBOURS = 2;

/**
 * What the limits cost those who keep to them: the hot path with limits and metrics against the same without both, and
 * the latency of one principal beside another one that sends ten times its rate, over two replicas.
 */
export const limits: BenchCase = async (settings) => [...(await hotPath(settings)), ...(await neighbours(settings))];

async function hotPath(settings: BenchSettings): Promise<Figure[]> {
  const most = { PER_MINUTE: '10000000', BURST: '10000000' };
  // Only for its database: a process that has migrated is a tenth slower than an equal one that has not.
  const service = await startService(settings, 'bench_limits', 3991);
  await createCategories(service.database);
  const own = await startReplica(settings, service.databaseUrl, 3995, {
    LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: most.PER_MINUTE,
    LIMIT_PRINCIPAL_REQUESTS_BURST: most.BURST,
    LIMIT_ADDRESS_REQUESTS_PER_MINUTE: most.PER_MINUTE,
    LIMIT_ADDRESS_REQUESTS_BURST: most.BURST,
    LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '300',
  });
  const without = await startReplica(settings, service.databaseUrl, 3992, {
    NODE_OPTIONS: `--require ${join(__dirname, '..', 'references', 'unmeasured.js')}`,
  });
  const headers = { authorization: `Bearer ${service.token}` };
  const paths = { categories: CATEGORIES, registry: '/v0.1/servers' };
  const processes = { 'with limits and metrics': own, 'without both': without };
  const targets = Object.entries(paths).flatMap(([what, path]) =>
    Object.entries(processes).map(([how, { url, pid }]) => ({
      name: `${what}, ${how}`,
      url: url + path,
      headers,
      pid,
    })),
  );
  const speeds = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  try {
    // Until everything is compiled.
    for (const target of targets) await load(target, WARM_UP_S);
    for (let round = 0; round < settings.rounds; round++) {
      // There and back: of two identical processes, the one that is always measured first seems a twentieth slower.
      const order = [...targets, ...[...targets].reverse()];
      const sums = new Map<string, { perSecond: number; cost: number }>();
      for (const target of order) {
        const before = await cpuOf({ pid: target.pid, database: service.database });
        const { perSecond, requests } = await load(target, settings.seconds);
        const after = await cpuOf({ pid: target.pid, database: service.database });
        const cost = ((after.service - before.service) * 1_000) / requests;
        const sum = sums.get(target.name) ?? { perSecond: 0, cost: 0 };
        sums.set(target.name, { perSecond: sum.perSecond + perSecond, cost: sum.cost + cost });
      }
      for (const [name, { perSecond, cost }] of sums) {
        speeds.set(name, [...(speeds.get(name) ?? []), perSecond / 2]);
        costs.set(name, [...(costs.get(name) ?? []), cost / 2]);
      }
    }
    return Object.keys(paths).flatMap((what) => {
      const [limited, other] = Object.keys(processes).map((how) => `${what}, ${how}`) as [string, string];
      return [
        compared(speeds, limited, other, '≥ 0.97'),
        // On a machine that does other work as well, only these mean anything.
        { ...compared(costs, limited, other, '≤ 1.03'), unit: 'µs CPU' },
      ];
    });
  } finally {
    await Promise.all([service.stop(), own.stop(), without.stop()]);
  }
}

async function neighbours(settings: BenchSettings): Promise<Figure[]> {
  const env = { LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: String(PER_MINUTE) };
  const service = await startService(settings, 'bench_neighbours', 3993, env);
  const replica = await startReplica(settings, service.databaseUrl, 3994, env);
  const urls = [service.url, replica.url];
  const quiet = await tokenFor(service.databaseUrl, 'quiet');
  const loudToken = await tokenFor(service.databaseUrl, 'loud');
  const alone: number[][] = [];
  const beside: number[][] = [];
  let refused = 0;
  let sent = 0;
  try {
    // Both replicas know of each other, and both accounts exist.
    await sleep(11_000);
    await times(urls, quiet, 1);
    for (let round = 0; round < settings.rounds * ROUNDS_OF_NEIGHBOURS; round++) {
      alone.push(await times(urls, quiet, settings.seconds));
      const loud = sendSteadily({
        urls,
        path: BUNDLES,
        token: loudToken,
        perSecond: (PER_MINUTE / 60) * TIMES_THE_RATE,
        seconds: HEAD_START_S + settings.seconds + 0.5,
      });
      await sleep(HEAD_START_S * 1_000);
      beside.push(await times(urls, quiet, settings.seconds));
      const result = await loud;
      if (result.statuses[0] !== undefined) throw new Error(`${result.statuses[0]} connections were cut.`);
      refused += result.statuses[429] ?? 0;
      sent += result.sent;
    }
  } finally {
    await Promise.all([service.stop(), replica.stop()]);
  }
  // Of all requests together: the p95 of a single round is its eighth worst.
  const p95 = (rounds: number[][]) => quantile(rounds.flat(), 0.95);
  const byRound = (rounds: number[][]) => rounds.map((taken) => quantile(taken, 0.95));
  return [
    { name: 'p95 of a principal alone, two replicas', median: p95(alone), unit: 'ms', rounds: byRound(alone) },
    {
      name: `p95 beside one at ${TIMES_THE_RATE} × its rate`,
      median: p95(beside),
      unit: 'ms',
      rounds: byRound(beside),
      ratio: { to: 'alone', value: p95(beside) / p95(alone) },
      goal: '< 1.10',
    },
    {
      name: 'what that one sent',
      median: sent / beside.length / (HEAD_START_S + settings.seconds + 0.5),
      unit: 'requests/s',
      rounds: [],
      goal: `${(PER_MINUTE / 60) * TIMES_THE_RATE}`,
    },
    { name: 'of these refused', median: (100 * refused) / sent, unit: '%', rounds: [] },
  ];
}

/** One request at a time, to each replica in turn. @returns milliseconds @throws Error if one is refused */
async function times(urls: readonly string[], token: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1_000;
  const taken: number[] = [];
  for (let turn = 0; performance.now() < end; turn++) {
    const started = performance.now();
    const url = urls[turn % urls.length] ?? '';
    const status = await send({ name: 'quiet', method: 'GET', path: BUNDLES, url, token }, agent);
    taken.push(performance.now() - started);
    if (status !== 200) throw new Error(`The quiet principal was answered ${status}.`);
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  return taken;
}
