import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseProxy } from '../support/proxy';
import type { Cast } from './cast';
import { HttpClient } from './client';
import { callingEndpoints } from './gateway';
import type { Sample } from './load';
import type { Postgres } from './postgres';
import type { Goals } from './section';
import type { Bouncer, Stack } from './stack';

/** What a scenario may use. */
export interface Scene {
  stack: Stack;
  postgres: Postgres;
  cast: Cast;
  /** Only behind PgBouncer. */
  bouncer?: Bouncer;
  /** Before the direct connections, behind PgBouncer. */
  proxy?: DatabaseProxy;
  options: { rounds: number; seconds: number; memorySeconds: number };
  /** Prints what happens now. */
  say: (line: string) => void;
}

/** What a scenario found. */
export interface Outcome {
  /** When the fault ended, of `performance.now()`. */
  faultEnded?: number;
  explains?: Goals['explains'];
  problems?: string[];
  /** Memory that counts as "before" instead of that at the beginning. */
  memoryBefore?: Record<string, number>;
}

export interface Scenario {
  id: string;
  title: string;
  /** `pooled`: behind PgBouncer. */
  stack: 'direct' | 'pooled';
  goals: Goals;
  run: (scene: Scene) => Promise<Outcome>;
}

const FROZEN_MS = 20_000;
const FULL_MS = 15_000;
/** Contract, section 5: a change shows everywhere within this time if notifications are lost. */
const SHOWS_MS = 5_000;
/** A request is in flight for this long before the balancer and its kernel know that the process is gone. */
const KILL_SLACK_MS = 250;
const FAULT: Goals = { mayBeUnavailable: true, p99: 5_000, recovery: 5, flatMemory: true };

export const SCENARIOS: readonly Scenario[] = [
  { id: 'sigterm', title: 'each process restarted in turn by SIGTERM', stack: 'direct', goals: {}, run: rolling },
  { id: 'kill', title: 'each process killed in turn (kill -9)', stack: 'direct', goals: {}, run: killing },
  {
    id: 'gateway',
    title: '10,000 calls of MCP endpoints, a replica killed in the middle',
    stack: 'direct',
    goals: {},
    run: callingEndpoints,
  },
  {
    id: 'postgres-restart',
    title: 'PostgreSQL restarted',
    stack: 'direct',
    goals: FAULT,
    run: ({ postgres }) => fault(() => postgres.restart()),
  },
  { id: 'freeze', title: 'PostgreSQL frozen for 20 s', stack: 'direct', goals: FAULT, run: freezing },
  { id: 'disk', title: 'disk of PostgreSQL full for 15 s', stack: 'direct', goals: FAULT, run: fillingDisk },
  {
    id: 'clock',
    title: 'clock of a replica and the worker an hour ahead, then back',
    stack: 'direct',
    goals: { p99: 5_000, flatMemory: true },
    run: movingClock,
  },
  { id: 'pgbouncer', title: 'behind PgBouncer: each process by SIGTERM', stack: 'pooled', goals: {}, run: rollingOnce },
  {
    id: 'half-open',
    title: 'behind PgBouncer: NOTIFY connections half open',
    stack: 'pooled',
    goals: { p99: 5_000, flatMemory: true },
    run: silencing,
  },
  {
    id: 'pgbouncer-freeze',
    title: 'behind PgBouncer: PostgreSQL frozen for 20 s',
    stack: 'pooled',
    goals: FAULT,
    run: freezing,
  },
  {
    id: 'pgbouncer-restart',
    title: 'behind PgBouncer: PostgreSQL restarted',
    stack: 'pooled',
    goals: FAULT,
    run: ({ postgres }) => fault(() => postgres.restart()),
  },
  {
    id: 'pgbouncer-kill',
    title: 'PgBouncer killed and started again',
    stack: 'pooled',
    goals: FAULT,
    run: killingBouncer,
  },
  { id: 'memory', title: 'load without a fault', stack: 'direct', goals: { p99: 5_000 }, run: watchingMemory },
];

/** With load before, during and after. */
async function fault(work: () => Promise<unknown>): Promise<Outcome> {
  await sleep(3_000);
  await work();
  const faultEnded = performance.now();
  await sleep(12_000);
  return { faultEnded };
}

async function rolling(scene: Scene, rounds = scene.options.rounds): Promise<Outcome> {
  const end = performance.now() + scene.options.seconds * 1_000;
  for (let round = 1; round <= rounds; round++) {
    for (const role of scene.stack.roles) {
      scene.say(`round ${round}: ${role}`);
      await scene.stack.restart(role, 'SIGTERM');
    }
  }
  await sleep(Math.max(0, end - performance.now()));
  return {};
}

function rollingOnce(scene: Scene): Promise<Outcome> {
  return rolling(scene, 1);
}

async function killing({ stack, options, say }: Scene): Promise<Outcome> {
  const kills: number[] = [];
  for (let round = 1; round <= Math.min(2, options.rounds); round++) {
    for (const role of stack.roles) {
      await sleep(2_000);
      say(`round ${round}: ${role}`);
      kills.push(performance.now());
      await stack.restart(role, 'SIGKILL');
    }
  }
  await sleep(2_000);
  const explains = ({ from, to }: Sample) => kills.some((at) => from < at + KILL_SLACK_MS && to >= at);
  return { explains };
}

function freezing({ postgres }: Scene): Promise<Outcome> {
  return fault(async () => {
    postgres.freeze();
    try {
      await sleep(FROZEN_MS);
    } finally {
      postgres.thaw();
    }
  });
}

/** Half of the time with what is left of the log of changes, then without. */
async function fillingDisk({ postgres, say }: Scene): Promise<Outcome> {
  if (!postgres.hasOwnDisk) return { problems: ['not tried: this needs root, to mount a small disk'] };
  return fault(async () => {
    postgres.fillDisk();
    await sleep(FULL_MS / 2);
    say('a new segment of the log of changes');
    await postgres.query('SELECT pg_switch_wal()').catch(() => undefined);
    await sleep(FULL_MS / 2);
    postgres.emptyDisk();
    // It stops if it cannot write its log; a supervisor starts it again.
    if (postgres.hasEnded) await postgres.serve();
    else await postgres.isReady();
  });
}

async function movingClock({ stack, say }: Scene): Promise<Outcome> {
  stack.setClock('+0');
  for (const role of ['api-2', 'worker'] as const) await stack.restart(role, 'SIGTERM', stack.fakeClock);
  const memoryBefore = stack.memory;
  for (const shift of ['+3600', '+0', '-3600', '+0']) {
    say(`clock ${shift} s`);
    stack.setClock(shift);
    await sleep(10_000);
  }
  // What it claimed must not stay claimed for an hour.
  say('clock +3600 s, and the worker is killed');
  stack.setClock('+3600');
  await sleep(5_000);
  await stack.restart('worker', 'SIGKILL');
  stack.setClock('+0');
  await sleep(5_000);
  return { memoryBefore };
}

/** The connections seem open, and nothing passes. */
async function silencing({ stack, proxy, cast, postgres, say }: Scene): Promise<Outcome> {
  await sleep(2_000);
  const problems: string[] = [];
  const [category] = await postgres.query<{ id: number }>('SELECT id FROM categories ORDER BY id LIMIT 1');
  for (let round = 1; round <= 3; round++) {
    const silenced = proxy?.silence('listeners');
    say(`${silenced} connections silent`);
    if (silenced !== stack.roles.length)
      problems.push(`${silenced} listeners were silenced, not ${stack.roles.length}`);
    const name = `Category ${round}`;
    const client = new HttpClient(stack.url);
    const { status } = await client.send(`/v1/mcp/categories/${category?.id}`, {
      method: 'PATCH',
      token: cast.signed,
      json: { name },
    });
    client.close();
    if (status !== 200) problems.push(`a category was not renamed: ${status}`);
    await Promise.all((['api-1', 'api-2'] as const).map((role) => shows(stack.urlOf(role), name, cast, problems)));
    await sleep(8_000);
  }
  return { problems };
}

async function shows(url: string, name: string, { signed }: Cast, problems: string[]): Promise<void> {
  const client = new HttpClient(url);
  const began = performance.now();
  let isShown = false;
  while (!isShown && performance.now() < began + 2 * SHOWS_MS) {
    isShown = (await client.send('/v1/mcp/categories', { token: signed })).text.includes(JSON.stringify(name));
    await sleep(50);
  }
  client.close();
  const ms = performance.now() - began;
  if (ms > SHOWS_MS) problems.push(`a renamed category shows after ${(ms / 1_000).toFixed(1)} s`);
}

function killingBouncer({ bouncer }: Scene): Promise<Outcome> {
  return fault(async () => {
    await bouncer?.end('SIGKILL');
    await sleep(2_000);
    await bouncer?.serve();
  });
}

/** Must differ by less than a tenth between the second minute and the end. */
async function watchingMemory({ stack, options, say }: Scene): Promise<Outcome> {
  const warmUp = Math.min(120, options.memorySeconds / 5);
  await sleep(warmUp * 1_000);
  const memoryBefore = stack.memory;
  for (let left = options.memorySeconds - warmUp; left > 0; left -= 30) {
    await sleep(Math.min(30, left) * 1_000);
    say(JSON.stringify(stack.memory, (_, value: unknown) => (typeof value === 'number' ? Math.round(value) : value)));
  }
  const memoryAfter = stack.memory;
  const problems = Object.entries(memoryBefore).flatMap(([role, before]) => {
    const after = memoryAfter[role] ?? 0;
    if (Math.abs(after / before - 1) < 0.1) return [];
    return `${role}: ${Math.round(before)} MiB after ${warmUp} s, ${Math.round(after)} at the end`;
  });
  return { memoryBefore, problems };
}
