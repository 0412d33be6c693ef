import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that the script started. Ended by its id, never by its name. */
export class Program {
  readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;

  /** @param log a file for what it prints */
  constructor(
    readonly name: string,
    command: readonly string[],
    log: string,
    env: NodeJS.ProcessEnv = {},
  ) {
    const file = openSync(log, 'a');
    const [program = '', ...args] = command;
    const { PATH } = process.env;
    this.child = spawn(program, args, { env: { PATH, ...env }, stdio: ['ignore', file, file] });
    closeSync(file);
    this.closed = once(this.child, 'exit').catch(() => undefined);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** @throws Error if it has not ended 60 s after the signal */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.hasEnded) return;
    this.child.kill(signal);
    await Promise.race([this.closed, sleep(60_000, undefined, { ref: false })]);
    if (!this.hasEnded) throw new Error(`${this.name} does not end on ${signal}.`);
  }

  /** Resident memory in MiB; 0 if it has ended. */
  get residentMiB(): number {
    return residentMiB(this.pid);
  }
}

function residentMiB(pid: number): number {
  try {
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) / 1_024;
  } catch {
    return 0;
  }
}

/** @throws Error if it does not become true in time */
export async function until(what: string, isTrue: () => Promise<boolean> | boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s.`);
    await sleep(50);
  }
}

/** @returns whether the address answers 200 */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
