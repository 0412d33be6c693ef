import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { StationVisit, Station } from '../../src/webhooks/stations';
import { cpuOf } from '../cpu';
import { type BenchCase, type BenchSettings, type Figure, median, type Server, startServer } from '../measure';
import { ALL_CORES, parentOf, pin } from '../pin';
import type { Arrival } from '../references/webhook-receiver';
import { type Service, startService } from '../service';
import { SENDING } from '../webhooks';

/** Organisations among which the changes are distributed, so that none has too many bundles. */
const OWNERS = 20;
/** Of another organisation, for the throughput. */
const FAN_OUT = 10;
const WRITERS = 16;
const WARM_UP_S = 8;
/** What the answer at the slowest pace is compared with. */
const BARE = '2/s: answered by bare Express with one INSERT p50';
/** Few enough for the limit of a bundle's owner, which is raised here. */
const MAX_BUNDLES = '5000';

/** Events at a steady rate, and what is asked of them. */
interface Pace {
  name: string;
  perSecond: number;
  goals: Record<string, string>;
}

const ON_ALL_CORES: Pace[] = [
  { name: '2/s', perSecond: 2, goals: { 'answered p50': '≤ 1.8', 'arrived p50': '≤ 10 ms' } },
  { name: 'both cores, 100/s', perSecond: 100, goals: { 'arrived p95': '≤ 20 ms' } },
  { name: 'both cores, 200/s', perSecond: 200, goals: { 'arrived p95': '≤ 30 ms' } },
];
const ON_ONE_CORE: Pace[] = [
  { name: '100/s', perSecond: 100, goals: { 'arrived p50': '≤ 10 ms', 'arrived p95': '≤ 25 ms' } },
  { name: '200/s', perSecond: 200, goals: { 'arrived p50': '≤ 20 ms', 'arrived p95': '≤ 100 ms' } },
];
const DELIVERIES = `fan-out ${FAN_OUT}: deliveries/s`;
const DELIVERIES_ON_ALL_CORES = `both cores, ${DELIVERIES}`;
const GOALS = new Map([
  [DELIVERIES, '≥ 1,300'],
  [DELIVERIES_ON_ALL_CORES, '≥ 2,000'],
  ...[...ON_ALL_CORES, ...ON_ONE_CORE].flatMap(({ name, goals }) =>
    Object.entries(goals).map(([what, goal]): [string, string] => [`${name}: ${what}`, goal]),
  ),
]);

const STATIONS: Station[] = ['notified', 'fanned out', 'claimed', 'dialled', 'sent'];

/** A request that created a bundle; epoch milliseconds with a fraction. */
interface Change {
  bundleId: string;
  sentAt: number;
  answeredAt: number;
}

type Rounds = Map<string, number[]>;

/**
 * `POST /v1/bundles` at a steady pace: the time from the request to its answer, to each station of the delivery engine
 * (`src/webhooks/stations.ts`), and to the arrival of the event at a receiver that answers at once. Then as many as
 * possible with ten endpoints each: deliveries a second, and CPU time of service and database for each. First on all cores,
 * nothing pinned; then service and database on one core, load and receiver on the other.
 */
export const webhookLatency: BenchCase = async (settings) => {
  const rounds: Rounds = new Map();
  const note = (name: string, value: number) => rounds.set(name, [...(rounds.get(name) ?? []), value]);
  for (let round = 0; round < settings.rounds; round++) {
    const scene = await startScene(settings, round);
    const paced: { name: string; changes: Change[]; arrivals: Arrival[] }[] = [];
    const run = async ({ name, perSecond }: Pace) => {
      const seconds = Math.max(settings.seconds, 20 / perSecond);
      await fetch(scene.receiver.url, { method: 'DELETE' });
      const changes = await pace(scene, perSecond, seconds, scene.owners);
      paced.push({ name, changes, arrivals: await arrived(scene, changes.length) });
    };
    try {
      // Until everything is compiled, and no endpoint is doubtful.
      await arrived(scene, (await pace(scene, 100, WARM_UP_S, scene.owners)).length);
      for (const each of ON_ALL_CORES) await run(each);
      note(BARE, await bareAnswer(scene));
      note(DELIVERIES_ON_ALL_CORES, (await throughput(scene, settings.seconds)).perSecond);
      await pinned(scene, async () => {
        for (const each of ON_ONE_CORE) await run(each);
        const { perSecond, cpuMs } = await throughput(scene, settings.seconds);
        note(DELIVERIES, perSecond);
        note(`fan-out ${FAN_OUT}: CPU per delivery`, cpuMs);
      });
    } finally {
      await scene.stop();
    }
    const passages = JSON.parse(readFileSync(scene.traceFile, 'utf8')) as StationVisit[];
    for (const { name, changes, arrivals } of paced) {
      for (const [what, value] of timesOf(changes, arrivals, passages)) note(`${name}: ${what}`, value);
    }
  }
  const figures = [...rounds].map(([name, values]) => toFigure(name, values));
  const [own, bare] = ['2/s: answered p50', BARE].map((name) => figures.find((figure) => figure.name === name));
  if (own && bare) own.ratio = { to: 'bare Express with one INSERT', value: own.median / bare.median };
  return figures;
};

interface Scene {
  service: Service;
  receiver: Server;
  owners: string[];
  /** Owns ten endpoints. */
  busyOwner: string;
  agent: Agent;
  traceFile: string;
  stop: () => Promise<void>;
}

async function startScene(settings: BenchSettings, round: number): Promise<Scene> {
  const traceFile = join(settings.dataDir, `stations-${round}.json`);
  const service = await startService(settings, `bench_webhook_latency_${round}`, 3990, {
    ...SENDING,
    LIMIT_BUNDLES_PER_ORGANISATION: MAX_BUNDLES,
    NODE_OPTIONS: `--require ${join(__dirname, '..', 'station-trace.js')}`,
    TRACE_FILE: traceFile,
  });
  const receiver = await startServer(join(__dirname, '..', 'references', 'webhook-receiver.js'), 3991, {}, '/');
  const create = async (path: string, body: object) =>
    ((await service.call('POST', path, body)).body as { id: string }).id;
  const addOwner = async (endpoints: number) => {
    const org_id = await create('/v1/organisations', { name: randomUUID() });
    for (let n = 0; n < endpoints; n++) {
      const target_url = `${receiver.url}/traced/${n}`;
      await create('/v1/webhooks', { org_id, target_url, event_types: ['bundle.created'] });
    }
    return org_id;
  };
  const owners: string[] = [];
  for (let n = 0; n < OWNERS; n++) owners.push(await addOwner(1));
  const busyOwner = await addOwner(FAN_OUT);
  const agent = new Agent({ connections: 64 });
  const stop = async () => {
    await agent.close();
    await Promise.all([service.stop(), receiver.stop()]);
  };
  return { service, receiver, owners, busyOwner, agent, traceFile, stop };
}

const now = () => performance.timeOrigin + performance.now();

async function change({ service, agent }: Scene, orgId: string, url = service.url): Promise<Change> {
  const sentAt = now();
  const { statusCode, body } = await request(`${url}/v1/bundles`, {
    method: 'POST',
    dispatcher: agent,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', slug: randomUUID(), org_id: orgId }),
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`POST /v1/bundles: ${statusCode} ${text}`);
  return { bundleId: (JSON.parse(text) as { id: string }).id, sentAt, answeredAt: now() };
}

/** Sends requests at that pace, whether or not the previous ones were answered. */
async function pace(
  scene: Scene,
  perSecond: number,
  seconds: number,
  owners: readonly string[],
  url?: string,
): Promise<Change[]> {
  const changes: Promise<Change>[] = [];
  const begin = performance.now();
  while (changes.length < perSecond * seconds) {
    const due = begin + (changes.length / perSecond) * 1_000;
    if (performance.now() < due) await sleep(Math.min(due - performance.now(), 5));
    else changes.push(change(scene, owners[changes.length % owners.length] ?? '', url));
  }
  return Promise.all(changes);
}

/** What a row alone takes at 2 requests a second, with nothing else going on; milliseconds. */
async function bareAnswer(scene: Scene): Promise<number> {
  const { databaseUrl, userId } = scene.service;
  const script = join(__dirname, '..', 'references', 'bare-express-create.js');
  const bare = await startServer(script, 3992, { DATABASE_URL: databaseUrl, OWNER_ID: userId }, '/');
  try {
    await pace(scene, 100, WARM_UP_S, scene.owners, bare.url);
    const changes = await pace(scene, 2, 10, scene.owners, bare.url);
    return percentile(
      changes.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
      50,
    );
  } finally {
    await bare.stop();
  }
}

/** Waits until everything has arrived. */
async function arrived({ receiver }: Scene, expected: number): Promise<Arrival[]> {
  for (let triesLeft = 600; ; triesLeft--) {
    const arrivals = (await (await fetch(`${receiver.url}/traced`)).json()) as Arrival[];
    if (arrivals.length >= expected) return arrivals;
    if (triesLeft === 0) throw new Error(`${arrivals.length} of ${expected} deliveries arrived.`);
    await sleep(100);
  }
}

/** Milliseconds from the requests to what follows them. */
function timesOf(
  changes: readonly Change[],
  arrivals: readonly Arrival[],
  passages: readonly StationVisit[],
): [name: string, value: number][] {
  const byBundle = new Map(arrivals.map((arrival) => [arrival.bundleId, arrival]));
  const byStation = new Map(STATIONS.map((station) => [station, new Map<string, number>()]));
  let notifiedAt = NaN;
  for (const { station, eventIds, at } of passages) {
    if (station === 'notified') notifiedAt = at;
    for (const id of eventIds) {
      // The event belongs to the latest notification before its fan-out, or an earlier one if there are many.
      if (station === 'fanned out') byStation.get('notified')?.set(id, notifiedAt);
      byStation.get(station)?.set(id, at);
    }
  }
  const samples = new Map<string, number[]>();
  const note = (name: string, value: number) => samples.set(name, [...(samples.get(name) ?? []), value]);
  for (const { bundleId, sentAt, answeredAt } of changes) {
    const arrival = byBundle.get(bundleId);
    if (!arrival) throw new Error(`The event of bundle ${bundleId} did not arrive.`);
    note('answered', answeredAt - sentAt);
    for (const station of STATIONS) {
      const at = byStation.get(station)?.get(arrival.eventId);
      if (at !== undefined) note(station, at - sentAt);
    }
    note('arrived', arrival.at - sentAt);
  }
  return [...samples].flatMap(([name, values]): [string, number][] => [
    [`${name} p50`, percentile(values, 50)],
    [`${name} p95`, percentile(values, 95)],
  ]);
}

function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * p) / 100) - 1)] ?? NaN;
}

/** Runs `work` with service and database on one core; the service stays there. */
async function pinned<T>({ service, receiver }: Scene, work: () => Promise<T>): Promise<T> {
  const { rows } = await service.database.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
  const postmaster = parentOf(Number(rows[0]?.pid));
  for (const pid of [service.pid, postmaster]) pin(pid, 1);
  for (const pid of [receiver.pid, process.pid]) pin(pid, 0);
  try {
    return await work();
  } finally {
    for (const pid of [postmaster, process.pid]) pin(pid, ALL_CORES);
  }
}

/** Requests by several writers, each waiting for its answer, until all of their deliveries have arrived. */
async function throughput(scene: Scene, seconds: number): Promise<{ perSecond: number; cpuMs: number }> {
  await fetch(scene.receiver.url, { method: 'DELETE' });
  const { service } = scene;
  const cpu = async () => {
    const used = await cpuOf(service);
    return used.service + used.database;
  };
  const before = await cpu();
  const begin = performance.now();
  let changes = 0;
  const writer = async () => {
    while (performance.now() < begin + seconds * 1_000) {
      await change(scene, scene.busyOwner);
      changes += 1;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  const arrivals = await arrived(scene, changes * FAN_OUT);
  const last = Math.max(...arrivals.map(({ at }) => at)) - performance.timeOrigin;
  await sleep(200); // the last results
  return {
    perSecond: (arrivals.length * 1_000) / (last - begin),
    cpuMs: ((await cpu()) - before) / arrivals.length,
  };
}

function toFigure(name: string, rounds: number[]): Figure {
  const unit = name.endsWith('deliveries/s') ? 'deliveries/s' : 'ms';
  return { name, median: median(rounds), unit, rounds, goal: GOALS.get(name) };
}
