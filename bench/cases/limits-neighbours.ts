import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../directory';
import { type BenchCase, median } from '../measure';
import { startRefuser } from '../references/refuser';
import { send } from '../send';
import { startReplica, startService, tokenFor } from '../service';
import { sendSteadily } from '../steady-caller';

/** Until everything is compiled. */
const WARM_UP_S = 5;
/** Reads the database each time. */
const BUNDLES = '/v1/bundles';
/** Requests per minute of a principal: the default. */
const PER_MINUTE = 3_000;
/** How much more than that the other principal sends. */
const TIMES_THE_RATE = 10;
const PER_SECOND = (PER_MINUTE / 60) * TIMES_THE_RATE;
/** Small, so that the other one has used it up soon after each turn in which it did not send. */
const BURST = 100;
/** Principals who keep to the limits: more requests in the same time. */
const QUIET = ['quiet-1', 'quiet-2', 'quiet-3'];
/** Between two requests of one of them. */
const PAUSE_MS = 25;
/** Before each measurement: until the burst of the other is used up, which is within its limits. */
const HEAD_START_S = 0.7;
/** Of each state by turns; short, so that what else the machine does affects all states alike. */
const TURN_S = 1.5;
/** A turn has few requests, and its p95 can be twice that of another. */
const TURNS_A_ROUND = 15;

const ALONE = 'p95 of principals alone, two replicas';
const ELSEWHERE = `the same while another sends ${PER_SECOND} requests/s elsewhere on this machine`;
const BESIDE = `p95 beside one at ${TIMES_THE_RATE} × its rate`;

/**
 * The latency of principals beside another who sends ten times its rate, over two replicas. The other one shares the
 * two cores with the service, which costs latency whatever it calls: the second figure says how much, with the same load on
 * something that only refuses. The goal is against the principals alone.
 */
export const limitsNeighbours: BenchCase = async (settings) => {
  const env = {
    LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: String(PER_MINUTE),
    LIMIT_PRINCIPAL_REQUESTS_BURST: String(BURST),
  };
  const service = await startService(settings, 'bench_neighbours', 3993, env);
  const replica = await startReplica(settings, service.databaseUrl, 3994, env);
  const refuser = await startRefuser();
  const urls = [service.url, replica.url];
  const quiet = await Promise.all(QUIET.map((name) => tokenFor(service.databaseUrl, name)));
  const token = await tokenFor(service.databaseUrl, 'loud');
  const loud: Record<string, string[] | undefined> = { [ALONE]: undefined, [ELSEWHERE]: [refuser.url], [BESIDE]: urls };
  const taken = new Map<string, number[][]>();
  const seconds = HEAD_START_S + TURN_S;
  let [sent, refused, turns] = [0, 0, 0];
  try {
    // Both replicas know of each other, and both accounts exist.
    await sleep(11_000);
    await Promise.all(quiet.map((one) => times(urls, one, WARM_UP_S)));
    for (; turns < settings.rounds * TURNS_A_ROUND; turns++) {
      for (const [name, called] of inTurn(Object.entries(loud), turns)) {
        const other = called && sendSteadily({ urls: called, path: BUNDLES, token, perSecond: PER_SECOND, seconds });
        // Together, so that a loud one that fails ends this case and not the whole run.
        const [result, ofTurn] = await Promise.all([
          other,
          sleep(HEAD_START_S * 1_000).then(() => Promise.all(quiet.map((one) => times(urls, one, TURN_S)))),
        ]);
        taken.set(name, [...(taken.get(name) ?? []), ofTurn.flat()]);
        if (!result || name !== BESIDE) continue;
        refused += result.statuses[429] ?? 0;
        sent += result.sent;
      }
    }
  } finally {
    await Promise.all([service.stop(), replica.stop(), refuser.stop()]);
  }
  const figure = (name: string) => {
    const ofTurns = taken.get(name) ?? [];
    const rounds = Array.from({ length: settings.rounds }, (_, round) =>
      quantile(ofTurns.slice(round * TURNS_A_ROUND, (round + 1) * TURNS_A_ROUND).flat(), 0.95),
    );
    return {
      name,
      median: median(rounds),
      unit: 'ms',
      rounds,
    };
  };
  const [alone, elsewhere, beside] = [figure(ALONE), figure(ELSEWHERE), figure(BESIDE)];
  // Round by round: what disturbs the machine for half a minute spoils one round, and not the sum.
  const toAlone = ({ rounds }: { rounds: readonly number[] }) => ({
    to: 'alone',
    value: median(rounds.map((p95, round) => p95 / (alone.rounds[round] ?? NaN))),
  });
  return [
    alone,
    { ...elsewhere, ratio: toAlone(elsewhere) },
    { ...beside, ratio: toAlone(beside), goal: '< 1.10' },
    {
      name: 'what that one sent',
      median: sent / turns / seconds,
      unit: 'requests/s',
      rounds: [],
      goal: `${PER_SECOND}`,
    },
    { name: 'of these refused', median: (100 * refused) / sent, unit: '%', rounds: [] },
  ];
};

/** @returns the same, in reverse every other turn: what a state leaves behind and a steady drift affect all alike */
function inTurn<T>(all: readonly T[], turn: number): readonly T[] {
  return turn % 2 === 0 ? all : [...all].reverse();
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
