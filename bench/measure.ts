import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';

/** What a case receives: a PostgreSQL server to create databases on, and how long to measure. */
export interface BenchSettings {
  serverUrl: string;
  /** A temporary folder. */
  dataDir: string;
  /** At least 5. */
  rounds: number;
  /** Seconds per round. */
  seconds: number;
  /** Number of webhook attempts in the larger of two databases. */
  attempts: number;
  /** Whether to print the plans of statements. */
  explain: boolean;
}

/** One line of the table. */
export interface Figure {
  name: string;
  median: number;
  unit: string;
  /** All rounds, in order of execution. */
  rounds: number[];
  ratio?: { to: string; value: number };
  goal?: string;
}

export type BenchCase = (settings: BenchSettings) => Promise<Figure[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** A server in a process of its own, so that it does not share its event loop with the load generator. */
export interface Server {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

/**
 * Starts a compiled script and waits until `probe` answers; without a probe, it serves nothing.
 *
 * @param script path of the compiled file
 * @param probe path that answers with any status once the server is up
 */
export async function startServer(
  script: string,
  port: number,
  env: Record<string, string>,
  probe: string | undefined,
): Promise<Server> {
  const url = `http://127.0.0.1:${port}`;
  if (await answers(url)) throw new Error(`Another process, perhaps of a bench that was killed, answers at ${url}.`);
  const child: ChildProcess = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const deadline = Date.now() + 60_000;
  while (probe !== undefined && !(await answers(url + probe))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${script} did not start.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}

/** A target for load. */
export interface Target {
  name: string;
  url: string;
  headers?: Record<string, string>;
}

/**
 * Loads each target in turn, `rounds` times: A B C A B C …, so that a drifting machine affects all of them alike. Every
 * response must be a 200.
 *
 * @returns requests per second of each round, by target
 */
export async function alternate(
  targets: readonly Target[],
  { rounds, seconds }: BenchSettings,
): Promise<Map<string, number[]>> {
  const figures = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  for (const target of targets) await load(target, 1); // warm-up
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) figures.get(target.name)?.push((await load(target, seconds)).perSecond);
  }
  return figures;
}

/** What 32 connections got from a target. */
export interface Load {
  perSecond: number;
  requests: number;
}

/** @throws Error if a response is not a 200 */
export async function load({ url, headers }: Target, seconds: number): Promise<Load> {
  const result = await autocannon({ url, headers, connections: 32, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} bad answers, ${result.errors} errors.`);
  return { perSecond: result.requests.average, requests: result.requests.total };
}

/** Summarizes the rounds of one target in a line, compared pair by pair with those of another. */
export function compared(rounds: Map<string, number[]>, name: string, to: string, goal?: string): Figure {
  const own = rounds.get(name) ?? [];
  const other = rounds.get(to) ?? [];
  const ratios = own.map((value, index) => value / (other[index] ?? NaN));
  return { name, median: median(own), unit: 'requests/s', rounds: own, ratio: { to, value: median(ratios) }, goal };
}
