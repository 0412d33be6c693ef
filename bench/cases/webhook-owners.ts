import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchCase, type BenchSettings, type Figure } from '../measure';
import { type Deliveries, settled, startDeliveries } from '../webhooks';

const QUIET_OWNERS = 20;
const EVENTS_PER_SECOND = 20;
const HOSTILE_ENDPOINTS = 400;
/** How many of the hostile endpoints are replaced by new ones per second. */
const FRESH_PER_SECOND = 20;
/** Many times the deadline of an attempt that hangs: what newcomers may take until they are known is over by then. */
const SECONDS = 60;

/**
 * The attackers, and the path of the receiver they use. The first one does not attack: it shows the cost of the work
 * alone.
 */
const ATTACKS: [name: string, owners: number, path: string][] = [
  ['400 fresh endpoints of one owner that work', 1, '/ignored'],
  ['400 fresh endpoints of one owner that hang', 1, '/hang'],
  ['the same of 20 organisations of one person', 20, '/hang'],
  ['the same, each of which succeeds once before it hangs', 20, '/once'],
];

/**
 * The time from the event to its arrival at working endpoints of 20 owners, at 20 events a second in total: alone, and
 * beside owners with 400 hanging endpoints that get an event every second and are constantly replaced by new ones.
 */
export const webhookOwners: BenchCase = async (settings) => {
  const figures: Figure[] = [];
  for (const [index, [name, owners, path]] of ATTACKS.entries()) {
    figures.push(...(await attack(settings, `bench_webhook_owners_${index}`, name, owners, path)));
  }
  return figures;
};

async function attack(
  settings: BenchSettings,
  database: string,
  name: string,
  owners: number,
  path: string,
): Promise<Figure[]> {
  const deliveries = await startDeliveries(settings, database, QUIET_OWNERS, {
    LIMIT_ENDPOINTS_PER_ORGANISATION: String(HOSTILE_ENDPOINTS),
  });
  const worker = await deliveries.worker();
  const seconds = Math.max(SECONDS, settings.seconds);
  try {
    await p95(deliveries, 5); // warm-up; every endpoint has succeeded once
    const quiet = await p95(deliveries, seconds);
    const hostile = await Hostile.start(deliveries, owners, path);
    const beside = await p95(deliveries, seconds).finally(() => hostile.stop());
    const line = (what: string, value: number) => ({ name: what, median: value, unit: 'ms', rounds: [value] });
    return [
      line('event to arrival, p95, quiet', quiet),
      {
        ...line(`beside ${name}`, beside),
        ratio: { to: `quiet; ${hostile.made} endpoints, one after the other`, value: beside / quiet },
        goal: '≤ 2',
      },
    ];
  } finally {
    await Promise.all([worker.stop(), deliveries.stop()]);
  }
}

/** Owners with endpoints at one path of the receiver, each of which gets an event every second. */
class Hostile {
  private readonly endpoints: string[] = [];
  /** How many there have been. */
  made = 0;
  private isOver = false;
  private running?: Promise<unknown>;

  private constructor(
    private readonly deliveries: Deliveries,
    private readonly owners: readonly string[],
    private readonly path: string,
  ) {}

  static async start(deliveries: Deliveries, owners: number, path: string): Promise<Hostile> {
    const orgIds = await Promise.all(Array.from({ length: owners }, () => deliveries.addOwner()));
    const hostile = new Hostile(deliveries, orgIds, path);
    for (let n = 0; n < HOSTILE_ENDPOINTS; n++) await hostile.addEndpoint();
    hostile.running = Promise.all([hostile.emit(), hostile.replace()]);
    return hostile;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async addEndpoint(): Promise<void> {
    const owner = this.owners[this.made % this.owners.length] ?? '';
    this.made += 1;
    this.endpoints.push(await this.deliveries.addEndpointOf(owner, `${this.path}/${this.made}`));
  }

  private async emit(): Promise<void> {
    while (!this.isOver) {
      await this.deliveries.emit(this.owners.length, this.owners);
      await sleep(1_000);
    }
  }

  private async replace(): Promise<void> {
    while (!this.isOver) {
      await this.deliveries.service.call('DELETE', `/v1/webhooks/${this.endpoints.shift()}`);
      await this.addEndpoint();
      await sleep(1_000 / FRESH_PER_SECOND);
    }
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
