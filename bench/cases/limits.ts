import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCase, type BenchSettings, compared, load } from '../measure';
import type { Spent, SwitchableReport } from '../references/switchable';
import { type Service, startReplica, startService } from '../service';
import { createCategories } from './categories';

const CATEGORIES = '/v1/mcp/categories';
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

/** Of one process: requests per second, and microseconds of its processor time for each. */
interface Measured {
  perSecond: number;
  cost: number;
}

/**
 * What limits and metrics cost those who keep to the limits: the hot path with both against the same without.
 *
 * One process is compared with itself: two that differ in nothing can differ by a tenth in what a request costs, for as
 * long as they live (where their code and heap happen to lie). Each round has a new one.
 */
export const limits: BenchCase = async (settings) => {
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
};

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
