import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually';
import { ROOT } from './root';
import { NO_REQUEST_LIMITS } from './no-request-limits';

const DIST = join(ROOT, 'dist/src');
/** The last thing that a start does, when it already answers. */
const GREETING = /^Toolyard listens at [^]*\n\n/m;
/** With a crash recovery, on a machine that has other things to do. */
const START_MS = 30_000;

/** A line of the log. */
export interface LogLine {
  level: string;
  msg: string;
  context?: string;
}

/** How a process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const running = new Set<ToolyardProcess>();

/** The compiled program as a process of its own, with nothing of our environment but what it is given. */
export class ToolyardProcess {
  stdout = '';
  stderr = '';
  readonly url: string;
  /** Resolves when it has ended and everything that it wrote has been read. */
  readonly exit: Promise<Exit>;
  private readonly child: ChildProcess;

  /**
   * @param script `main.js` or `commands/token.js`
   * @param stdout a file that is open for writing, instead of what `log` reads
   */
  constructor(
    script: string,
    readonly env: Record<string, string>,
    args: string[] = [],
    stdout: 'pipe' | number = 'pipe',
  ) {
    const program = join(DIST, script);
    if (!existsSync(program)) throw new Error('There is no dist/: run "npm run build" first, as "npm test" does.');
    const { PATH = '' } = process.env;
    this.url = `http://127.0.0.1:${env.PORT}`;
    this.child = spawn(process.execPath, ['--enable-source-maps', program, ...args], {
      // Many run at once, and nothing balances their load.
      env: { PATH, CONSOLE: 'false', METRICS_PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', ...NO_REQUEST_LIMITS, ...env },
      stdio: ['ignore', stdout, 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exit = once(this.child, 'close').then((closed) => {
      running.delete(this);
      const [code, signal] = closed as [number | null, NodeJS.Signals | null];
      return { code, signal };
    });
    running.add(this);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Everything on standard output so far; fails when a line is no JSON. */
  get log(): LogLine[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LogLine);
  }

  /** @returns itself, once it answers and its start is complete, to the last line of what it prints */
  async ready(): Promise<this> {
    const answers = () =>
      fetch(`${this.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    const isUp = async () => GREETING.test(this.stderr) && (await answers());
    await eventually(async () => this.hasEnded || (await isUp()), Boolean, START_MS);
    if (this.hasEnded) throw new Error(`It does not come up:\n${this.stderr}\n${this.stdout}`);
    return this;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** @returns how it ended; fails when it does not end in time */
  async ended(within: number): Promise<Exit> {
    await eventually(() => this.hasEnded, Boolean, within);
    return this.exit;
  }

  /** Asks it to end, as a supervisor does. */
  async stop(within = 10_000): Promise<Exit> {
    this.signal('SIGTERM');
    return this.ended(within);
  }
}

/** Starts the program on a port of its own. @param stdout a file that is open for writing */
export async function startToolyard(env: Record<string, string>, stdout?: number): Promise<ToolyardProcess> {
  return new ToolyardProcess('main.js', { PORT: String(await freePort()), ...env }, [], stdout);
}

/** Runs `commands/token.js` to its end. */
export function runToken(env: Record<string, string>, ...args: string[]) {
  return runCommand('token', env, ...args);
}

/** Runs a command to its end. @param name of a file in `commands/` */
export async function runCommand(name: string, env: Record<string, string>, ...args: string[]) {
  const command = new ToolyardProcess(`commands/${name}.js`, env, args);
  const { code } = await command.exit;
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/** Kills what a failed test has left running. */
export async function killToolyards(): Promise<void> {
  for (const process of [...running]) {
    process.signal('SIGKILL');
    await process.exit;
  }
}

/** @returns a port on which nothing listens; that it stays so is likely, not certain */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
