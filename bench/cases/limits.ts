import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCase, type BenchSettings, type Figure, load, median } from '../measure';
import type { Spent, SwitchableReport, TurnPair } from '../references/switchable';
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

/** What the processes of all rounds gave and took on one path. */
interface Measured {
  /** With both: requests per second, and microseconds of processor time for each, of each round. */
  speeds: number[];
  costs: number[];
  /** Of all rounds. */
  pairs: TurnPair[];
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
  const measured = new Map<string, Measured>();
  try {
    await createCategories(service.database);
    for (let round = 0; round < settings.rounds; round++) {
      for (const [what, { on, pairs }] of await oneProcess(settings, service)) {
        const { speeds, costs, pairs: former } = measured.get(what) ?? { speeds: [], costs: [], pairs: [] };
        measured.set(what, {
          speeds: [...speeds, (on.requests * 1_000) / on.ms],
          costs: [...costs, costOf(on)],
          pairs: [...former, ...pairs],
        });
      }
    }
  } finally {
    await service.stop();
  }
  return [...measured].flatMap(([what, { speeds, costs, pairs }]): Figure[] => {
    const name = `${what}, ${WITH}`;
    const ratio = (kind: keyof TurnPair) => ({
      to: `${what}, ${WITHOUT}, of ${pairs.length} pairs of turns`,
      value: median(pairs.map((pair) => pair[kind])),
    });
    return [
      { name, median: median(speeds), unit: 'requests/s', rounds: speeds, ratio: ratio('speed'), goal: '≥ 0.97' },
      // On a machine that does other work as well, only these mean anything.
      { name, median: median(costs), unit: 'µs CPU', rounds: costs, ratio: ratio('cost'), goal: '≤ 1.03' },
    ];
  });
};

/** @returns what a new process gave and took with limits and metrics, and without, by path */
async function oneProcess(
  settings: BenchSettings,
  { databaseUrl, token }: Service,
): Promise<Map<string, SwitchableReport>> {
  const file = join(settings.dataDir, 'switchable.json');
  const { url, pid, stop } = await startReplica(settings, databaseUrl, 3995, {
    ...SWITCHABLE,
    SWITCHABLE_REPORT: file,
  });
  const measured = new Map<string, SwitchableReport>();
  const measure = async (what: string, path: string, seconds: number) => {
    const target = { name: what, url: url + path, headers: { authorization: `Bearer ${token}` } };
    await Promise.all([load(target, seconds + 2 * MARGIN_S), switchFor(pid, seconds)]);
    return JSON.parse(readFileSync(file, 'utf8')) as SwitchableReport;
  };
  try {
    for (const [what, path] of Object.entries(PATHS)) {
      // Until everything is compiled, in both states.
      await measure(what, path, WARM_UP_S);
      measured.set(what, await measure(what, path, settings.seconds * TIMES_THE_ROUND));
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

/** @returns microseconds of processor time for a request */
function costOf({ requests, cpuMs }: Spent): number {
  return (cpuMs * 1_000) / requests;
}
