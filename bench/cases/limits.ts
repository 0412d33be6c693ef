import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from '../cpu';
import { quantile } from '../directory';
import { type BenchCase, type BenchSettings, compared, type Figure, load } from '../measure';
import { send } from '../send';
import { type Service, startReplica, startService, tokenFor } from '../service';
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
/** What the hot path is, by what it shows: one statement for each request, or an answer from memory. */
const PATHS = { categories: CATEGORIES, registry: '/v0.1/servers' };
/** Limits that nobody reaches, in a process that can be told to count and measure nothing. */
const SWITCHABLE = {
  LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '10000000',
  LIMIT_PRINCIPAL_REQUESTS_BURST: '10000000',
  LIMIT_ADDRESS_REQUESTS_PER_MINUTE: '10000000',
  LIMIT_ADDRESS_REQUESTS_BURST: '10000000',
  LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '300',
  NODE_OPTIONS: `--require ${join(__dirname, '..', 'references', 'switchable.js')}`,
};
const WITH = 'with limits and metrics';
const WITHOUT = 'without both';
const TURNS = [WITH, WITHOUT, WITHOUT, WITH, WITHOUT, WITH, WITH, WITHOUT];

/** Between two requests of the principal who keeps to the limits. */
const PAUSE_MS = 25;
/** Until its burst is used up, which is within its limits. */
const HEAD_START_S = 3;
/** A second of these has few requests, so it takes more rounds than the hot path. */
const ROUNDS_OF_NEIGHBOURS = 2;

/** Of one process: requests per second, and microseconds of its processor time for each. */
interface Measured {
  perSecond: number;
  cost: number;
}

/**
 * What the limits cost those who keep to them: the hot path with limits and metrics against the same without both, and
 * the latency of one principal beside another one that sends ten times its rate, over two replicas.
 */
export const limits: BenchCase = async (settings) => [...(await hotPath(settings)), ...(await neighbours(settings))];

/**
 * One process is compared with itself: two that differ in nothing can differ by a tenth in what a request costs, for as
 * long as they live (where their code and heap happen to lie). Each round has a new one.
 */
async function hotPath(settings: BenchSettings): Promise<Figure[]> {
  // Only for its database: a process that has migrated is a tenth slower than an equal one that has not.
  const service = await startService(settings, 'bench_limits', 3991);
  const speeds = new Map<string, number[]>();
  const costs = new Map<string, number[]>();
  try {
    await createCategories(service.database);
    for (let round = 0; round < settings.rounds; round++) {
      for (const [name, { perSecond, cost }] of await oneProcess(settings, service)) {
        speeds.set(name, [...(speeds.get(name) ?? []), perSecond]);
        costs.set(name, [...(costs.get(name) ?? []), cost]);
      }
    }
  } finally {
    await service.stop();
  }
  return Object.keys(PATHS).flatMap((what) => [
    compared(speeds, `${what}, ${WITH}`, `${what}, ${WITHOUT}`, '≥ 0.97'),
    // On a machine that does other work as well, only these mean anything.
    { ...compared(costs, `${what}, ${WITH}`, `${what}, ${WITHOUT}`, '≤ 1.03'), unit: 'µs CPU' },
  ]);
}

/** @returns what a new process gave and took with limits and metrics, and without, by path and state */
async function oneProcess(
  settings: BenchSettings,
  { database, databaseUrl, token }: Service,
): Promise<Map<string, Measured>> {
  const { url, pid, stop } = await startReplica(settings, databaseUrl, 3995, SWITCHABLE);
  const sums = new Map<string, Measured>();
  let isOn = true;
  const measure = async (what: string, path: string, state: string, seconds: number) => {
    if (isOn !== (state === WITH)) process.kill(pid, 'SIGUSR2');
    isOn = state === WITH;
    const before = await cpuOf({ pid, database });
    const target = { name: what, url: url + path, headers: { authorization: `Bearer ${token}` } };
    const { perSecond, requests } = await load(target, seconds);
    const after = await cpuOf({ pid, database });
    return { perSecond, cost: ((after.service - before.service) * 1_000) / requests };
  };
  try {
    for (const [what, path] of Object.entries(PATHS)) {
      // Until everything is compiled, in both states.
      for (const state of [WITH, WITHOUT]) await measure(what, path, state, WARM_UP_S);
      // In turns that a steady drift of the machine affects alike.
      for (const state of TURNS) {
        const { perSecond, cost } = await measure(what, path, state, settings.seconds);
        const sum = sums.get(`${what}, ${state}`) ?? { perSecond: 0, cost: 0 };
        const share = 2 / TURNS.length;
        sums.set(`${what}, ${state}`, { perSecond: sum.perSecond + perSecond * share, cost: sum.cost + cost * share });
      }
    }
  } finally {
    await stop();
  }
  return sums;
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
