import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../directory';
import { type BenchCase, type BenchSettings, compared, type Figure, load } from '../measure';
import type { Spent, SwitchableReport } from '../references/switchable';
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
const WARM_UP_S = 8;
/** What the hot path is, by what it shows: one statement for each request, or an answer from memory. */
const PATHS = { categories: CATEGORIES, registry: '/v0.1/servers' };
/** Limits that nobody reaches, in a process that can be told to count and measure nothing every other moment. */
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
/** Of the load that is measured, in both states together: so many times the seconds of a round. */
const TIMES_THE_ROUND = 6;
/** While the load begins and ends. */
const MARGIN_S = 1;

/** Between two requests of the principal who keeps to the limits. */
const PAUSE_MS = 25;
/** Before each measurement: until the burst of the other is used up, which is within its limits. */
const HEAD_START_S = 3;
/** A second of these has few requests, and the p95 of one round can be twice that of another: so it takes more rounds. */
const ROUNDS_OF_NEIGHBOURS = 4;
/** What the other one sends, as a multiple of its rate. */
const NEIGHBOURS = {
  alone: 0,
  'beside one at its rate': 1,
  [`beside one at ${TIMES_THE_RATE} × its rate`]: TIMES_THE_RATE,
};

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
async function oneProcess(settings: BenchSettings, { databaseUrl, token }: Service): Promise<Map<string, Measured>> {
  const file = join(settings.dataDir, 'switchable.json');
  const { url, pid, stop } = await startReplica(settings, databaseUrl, 3995, {
    ...SWITCHABLE,
    SWITCHABLE_REPORT: file,
  });
  const measured = new Map<string, Measured>();
  const measure = async (what: string, path: string, seconds: number) => {
    const target = { name: what, url: url + path, headers: { authorization: `Bearer ${token}` } };
    await Promise.all([load(target, seconds + 2 * MARGIN_S), switchFor(pid, seconds)]);
    return JSON.parse(readFileSync(file, 'utf8')) as SwitchableReport;
  };
  try {
    for (const [what, path] of Object.entries(PATHS)) {
      // Until everything is compiled, in both states.
      await measure(what, path, WARM_UP_S);
      const { on, off } = await measure(what, path, settings.seconds * TIMES_THE_ROUND);
      measured.set(`${what}, ${WITH}`, measuredOf(on));
      measured.set(`${what}, ${WITHOUT}`, measuredOf(off));
    }
  } finally {
    await stop();
  }
  return measured;
}

/** Begins to switch as soon as the load is steady, and ends it before the load ends. */
async function switchFor(pid: number, seconds: number): Promise<void> {
  await sleep(MARGIN_S * 1_000);
  process.kill(pid, 'SIGUSR2');
  await sleep(seconds * 1_000);
  process.kill(pid, 'SIGUSR2');
}

function measuredOf({ requests, cpuMs, ms }: Spent): Measured {
  return { perSecond: (requests * 1_000) / ms, cost: (cpuMs * 1_000) / requests };
}

async function neighbours(settings: BenchSettings): Promise<Figure[]> {
  const env = { LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: String(PER_MINUTE) };
  const service = await startService(settings, 'bench_neighbours', 3993, env);
  const replica = await startReplica(settings, service.databaseUrl, 3994, env);
  const urls = [service.url, replica.url];
  const quiet = await tokenFor(service.databaseUrl, 'quiet');
  const loudToken = await tokenFor(service.databaseUrl, 'loud');
  const taken = new Map<string, number[][]>();
  let [sent, refused, seconds] = [0, 0, 0];
  try {
    // Both replicas know of each other, and both accounts exist.
    await sleep(11_000);
    await times(urls, quiet, 1);
    for (let round = 0; round < settings.rounds * ROUNDS_OF_NEIGHBOURS; round++) {
      for (const [name, multiple] of inTurn(Object.entries(NEIGHBOURS), round)) {
        const loudFor = HEAD_START_S + settings.seconds + 0.5;
        const perSecond = (PER_MINUTE / 60) * multiple;
        const loud =
          multiple > 0
            ? sendSteadily({ urls, path: BUNDLES, token: loudToken, perSecond, seconds: loudFor })
            : undefined;
        await sleep(HEAD_START_S * 1_000);
        taken.set(name, [...(taken.get(name) ?? []), await times(urls, quiet, settings.seconds)]);
        const result = await loud;
        if (result?.statuses[0] !== undefined) throw new Error(`${result.statuses[0]} connections were cut.`);
        if (!result || multiple < TIMES_THE_RATE) continue;
        refused += result.statuses[429] ?? 0;
        sent += result.sent;
        seconds += loudFor;
      }
    }
  } finally {
    await Promise.all([service.stop(), replica.stop()]);
  }
  // Of all requests together: the p95 of a single round is its eighth worst.
  const p95 = (name: string) => quantile((taken.get(name) ?? []).flat(), 0.95);
  return [
    ...Object.entries(NEIGHBOURS).map(([name, multiple]) => ({
      name: `p95 of a principal ${name}, two replicas`,
      median: p95(name),
      unit: 'ms',
      rounds: (taken.get(name) ?? []).map((ofRound) => quantile(ofRound, 0.95)),
      ...(multiple > 0 && { ratio: { to: 'alone', value: p95(name) / p95('alone') } }),
      ...(multiple === TIMES_THE_RATE && { goal: '< 1.10' }),
    })),
    {
      name: 'what that one sent',
      median: sent / seconds,
      unit: 'requests/s',
      rounds: [],
      goal: `${(PER_MINUTE / 60) * TIMES_THE_RATE}`,
    },
    { name: 'of these refused', median: (100 * refused) / sent, unit: '%', rounds: [] },
  ];
}

/** @returns the same, in reverse every other round: what a state leaves behind and a steady drift affect all alike */
function inTurn<T>(all: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? all : [...all].reverse();
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
