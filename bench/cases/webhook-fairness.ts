import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCase, median } from '../measure';
import { type Deliveries, settled, startDeliveries } from '../webhooks';

const HEALTHY = 50;
const EVENTS_PER_SECOND = 50;
const QUEUED = 20_000;

/**
 * The time from the event to its arrival at 50 working endpoints, at 50 events a second, without and with one more
 * endpoint that never answers and has 20,000 deliveries queued.
 */
export const webhookFairness: BenchCase = async (settings) => {
  const deliveries = await startDeliveries(settings, 'bench_webhook_fairness', HEALTHY);
  const worker = await deliveries.worker();
  const alone: number[] = [];
  const beside: number[] = [];
  const seconds = Math.max(20, settings.seconds); // longer than the deadline of a hanging attempt
  try {
    alone.push(await p95(deliveries, seconds));
    const hog = await deliveries.addEndpoint('/hang');
    await deliveries.emit(QUEUED, [hog]);
    await queued(deliveries);
    beside.push(await p95(deliveries, seconds));
    beside.push(await p95(deliveries, seconds)); // recognized as failing by now
  } finally {
    await Promise.all([worker.stop(), deliveries.stop()]);
  }
  const line = (name: string, rounds: number[]) => ({ name, median: median(rounds), unit: 'ms', rounds });
  return [
    line('event to arrival, p95, alone', alone),
    {
      ...line(`event to arrival, p95, beside ${QUEUED} hanging`, beside),
      ratio: { to: 'alone', value: Math.max(...beside) / Math.max(...alone) },
      goal: '≤ 2, < 1,000 ms',
    },
  ];
};

async function queued({ service }: Deliveries): Promise<void> {
  for (;;) {
    const { rows } = await service.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_new_events`,
    );
    if (rows[0]?.count === 0) return;
    await sleep(100);
  }
}

async function p95(deliveries: Deliveries, seconds: number): Promise<number> {
  await deliveries.clear();
  const begin = performance.now();
  let emitted = 0;
  while (emitted < seconds * EVENTS_PER_SECOND) {
    if (performance.now() - begin >= (emitted / EVENTS_PER_SECOND) * 1_000) {
      await deliveries.emit(1);
      emitted += 1;
    }
    await sleep(2);
  }
  return (await settled(deliveries, emitted)).p95 ?? NaN;
}
