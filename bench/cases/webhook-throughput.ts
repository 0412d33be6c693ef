import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCase, type BenchSettings, type Figure, median, startServer } from '../measure';
import { type Deliveries, settled, startDeliveries } from '../webhooks';

const ENDPOINTS = 20;
/** Of the bare loop and of each process. */
const IN_FLIGHT = '128';
const BACKLOG = 4_000;
const LATENCY_EVENTS = 200;

/**
 * Deliveries per second to a receiver that answers after 50 ms: by a bare loop of signed POSTs, by one process, by two.
 * The receiver accounts for every delivery. Then the time from the event to its arrival at 200 events a second.
 */
export const webhookThroughput: BenchCase = async (settings) => {
  const deliveries = await startDeliveries(settings, 'bench_webhook_throughput', ENDPOINTS);
  const rates: Record<'bare' | 'one' | 'two', number[]> = { bare: [], one: [], two: [] };
  const latencies: number[] = [];
  try {
    for (let round = 0; round < settings.rounds; round++) {
      rates.bare.push(await bareLoop(deliveries, settings));
      rates.one.push(await sustained(deliveries, 1, settings));
      rates.two.push(await sustained(deliveries, 2, settings));
      latencies.push(await latency(deliveries, settings));
    }
  } finally {
    await deliveries.stop();
  }
  const ratios = (a: number[], b: number[]) => median(a.map((value, index) => value / (b[index] ?? NaN)));
  const figure = (name: string, rounds: number[], ratio?: Figure['ratio'], goal?: string): Figure => ({
    name,
    median: median(rounds),
    unit: 'deliveries/s',
    rounds,
    ratio,
    goal,
  });
  return [
    figure('bare loop of signed POSTs', rates.bare),
    figure('one process', rates.one, { to: 'bare loop', value: ratios(rates.one, rates.bare) }, '≥ 0.5, ≥ 1,000/s'),
    figure('two processes', rates.two, { to: 'one process', value: ratios(rates.two, rates.one) }, '≥ 1.5'),
    {
      name: `event to arrival, p95 at ${LATENCY_EVENTS} events/s`,
      median: median(latencies),
      unit: 'ms',
      rounds: latencies,
      goal: '< 250 ms',
    },
  ];
};

async function bareLoop({ receiver, clear, received }: Deliveries, { seconds }: BenchSettings): Promise<number> {
  const poster = await startServer(
    join(__dirname, '..', 'references', 'bare-poster.js'),
    0,
    { IN_FLIGHT, TARGET: `${receiver.url}/bare` },
    undefined,
  );
  await sleep(2_000); // warm-up
  await clear();
  await sleep(seconds * 1_000);
  const { received: count } = await received();
  await poster.stop();
  return count / seconds;
}

/** The queue is never empty, but not so long either that its length affects the result. */
async function sustained(deliveries: Deliveries, processes: number, { seconds }: BenchSettings): Promise<number> {
  const workers = await Promise.all(
    Array.from({ length: processes }, () => deliveries.worker({ WEBHOOKS_IN_FLIGHT: IN_FLIGHT })),
  );
  await deliveries.clear();
  let emitted = 0;
  const feedUntil = async (end: number) => {
    while (performance.now() < end) {
      const missing = BACKLOG - (emitted - (await deliveries.received()).distinct);
      if (missing >= 200) {
        await deliveries.emit(missing);
        emitted += missing;
      }
      await sleep(50);
    }
  };
  await feedUntil(performance.now() + 3_000); // warm-up
  const before = await deliveries.received();
  const begin = performance.now();
  await feedUntil(begin + seconds * 1_000);
  const after = await deliveries.received();
  const rate = (after.distinct - before.distinct) / ((performance.now() - begin) / 1_000);
  const outcome = await settled(deliveries, emitted);
  if (outcome.received !== emitted) throw new Error(`${outcome.received} deliveries of ${emitted} events.`);
  await Promise.all(workers.map((worker) => worker.stop()));
  return rate;
}

async function latency(deliveries: Deliveries, { seconds }: BenchSettings): Promise<number> {
  const worker = await deliveries.worker();
  await deliveries.clear();
  let emitted = 0;
  const begin = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - begin) {
    const missing = Math.floor((elapsed / 1_000) * LATENCY_EVENTS) - emitted;
    for (let n = 0; n < missing; n++) await deliveries.emit(1); // each in a transaction of its own
    emitted += missing;
    await sleep(5);
  }
  const { p95 } = await settled(deliveries, emitted);
  await worker.stop();
  return p95 ?? NaN;
}
