import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/toolyard-process';
import type { Postgres } from './postgres';
import { answers, Program, until } from './program';

export const ROOT = join(__dirname, '../../..');
export const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
/** In-flight requests have 22 s after the delay. */
const READY_MS = 60_000;

export type Role = `api-${number}` | 'worker';

export interface StackOptions {
  folder: string;
  /** Of the API: two or more. */
  replicas: number;
  /** Seconds. */
  shutdownDelay: number;
  /** Where the processes find the database. */
  database: Record<string, string>;
}

/** Replicas of the API and a worker behind HAProxy; with two, as compose.yaml runs them. */
export class Stack {
  readonly roles: readonly Role[];
  readonly setUpToken = randomBytes(24).toString('hex');
  private readonly secretsKey = randomBytes(32).toString('base64');
  private readonly programs = new Map<Role, Program>();
  private readonly ports = new Map<Role, number>();
  private balancer?: Program;
  private balancerPort = 0;
  /** Where the wrong clock of a process is read from. */
  private readonly clock: string;

  constructor(public options: StackOptions) {
    const replicas = Array.from({ length: options.replicas }, (_, index) => `api-${index + 1}` as const);
    this.roles = [...replicas, 'worker'];
    this.clock = join(options.folder, 'clock');
    this.setClock('+0');
  }

  async start(): Promise<void> {
    for (const role of this.roles) this.ports.set(role, await freePort());
    this.balancerPort = await freePort();
    const command = ['haproxy', '-db', '-f', this.balancerFile()];
    this.balancer = new Program('HAProxy', command, join(this.options.folder, 'haproxy.log'), {
      TOOLYARD_BIND: `127.0.0.1:${this.balancerPort}`,
      ...Object.fromEntries(
        this.roles.map((role, index) => [`TOOLYARD_SERVER_${index + 1}`, `127.0.0.1:${this.portOf(role)}`]),
      ),
    });
    await Promise.all(this.roles.map((role) => this.launch(role)));
    await this.balanced();
  }

  /** The balancer. */
  get url(): string {
    return `http://127.0.0.1:${this.balancerPort}`;
  }

  urlOf(role: Role): string {
    return `http://127.0.0.1:${this.portOf(role)}`;
  }

  /** Resident memory of each process, MiB. */
  get memory(): Record<string, number> {
    return Object.fromEntries(this.roles.map((role) => [role, this.programs.get(role)?.residentMiB ?? 0]));
  }

  /** Ends a process and starts it again, as an orchestrator does. Returns when the balancer knows that it is ready. */
  async restart(role: Role, signal: NodeJS.Signals, env: Record<string, string> = {}): Promise<void> {
    await this.programs.get(role)?.end(signal);
    await this.launch(role, env);
    await this.balanced();
  }

  /** With another database, which takes a pause. */
  async moveTo(database: Record<string, string>): Promise<void> {
    this.options = { ...this.options, database };
    await Promise.all(this.roles.map((role) => this.restart(role, 'SIGTERM')));
  }

  /** The environment of a process whose clock `setClock` changes; its timers go on as before. */
  get fakeClock(): Record<string, string> {
    return {
      LD_PRELOAD: FAKE_TIME,
      FAKETIME_TIMESTAMP_FILE: this.clock,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** @param shift such as `+3600` */
  setClock(shift: string): void {
    writeFileSync(this.clock, `${shift}\n`);
  }

  /** Runs a command of the service, with its configuration. @returns what it printed */
  command(name: string, ...args: string[]): string {
    return execFileSync(process.execPath, [join(ROOT, `dist/src/commands/${name}.js`), ...args], {
      env: { PATH: process.env.PATH, ...this.environment('api-1') },
      encoding: 'utf8',
    }).trim();
  }

  /** What the processes logged as errors. */
  get errors(): string[] {
    return this.roles.flatMap((role) =>
      readFileSync(this.logOf(role), 'utf8')
        .split('\n')
        .filter((line) => /"level":"(error|fatal)"/.test(line) || /^\s+at |Error:/.test(line))
        .map((line) => `${role}: ${line.slice(0, 600)}`),
    );
  }

  async stop(): Promise<void> {
    const programs = [...this.programs.values(), this.balancer].filter((program) => program !== undefined);
    await Promise.allSettled(programs.map((program) => program.end('SIGKILL')));
  }

  /** The sample, which has two servers, with a line for each replica beyond them. */
  private balancerFile(): string {
    const sample = readFileSync(join(ROOT, 'deploy/haproxy.cfg'), 'utf8');
    const more = Array.from({ length: this.options.replicas - 2 }, (_, index) => index + 3);
    const file = join(this.options.folder, 'haproxy.cfg');
    writeFileSync(
      file,
      sample.replace(/^( +server api)2 .*$/gm, (line, start: string) =>
        [line, ...more.map((n) => `${start}${n} "\${TOOLYARD_SERVER_${n}}"`)].join('\n'),
      ),
    );
    return file;
  }

  private async launch(role: Role, env: Record<string, string> = {}): Promise<void> {
    const program = new Program(role, [process.execPath, join(ROOT, 'dist/src/main.js')], this.logOf(role), {
      ...this.environment(role),
      ...env,
    });
    this.programs.set(role, program);
    const isReady = async () => {
      if (program.hasEnded) throw new Error(`${role} ended while it started; see ${this.logOf(role)}.`);
      return answers(`${this.urlOf(role)}/readyz`);
    };
    await until(`${role} is ready`, isReady, READY_MS);
  }

  /** One check of the balancer later, which comes twice a second. */
  private async balanced(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1_200));
  }

  private portOf(role: Role): number {
    return this.ports.get(role) ?? 0;
  }

  private logOf(role: Role): string {
    return join(this.options.folder, `${role}.log`);
  }

  private environment(role: Role): Record<string, string> {
    return {
      ...this.options.database,
      PORT: String(this.portOf(role)),
      PUBLIC_URL: this.url,
      DATA_DIR: this.options.folder,
      SECRETS_KEY: this.secretsKey,
      SETUP_TOKEN: this.setUpToken,
      RUN: role === 'worker' ? 'worker' : 'api',
      SAMPLE_CATALOGUE: 'true',
      METRICS_PORT: '0',
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'warn',
      SHUTDOWN_DELAY_SECONDS: String(this.options.shutdownDelay),
      TRUSTED_PROXIES: '127.0.0.0/8',
      WEBHOOKS_ALLOW_HTTP: 'true',
      WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
      LIMIT_BUNDLES_PER_ORGANISATION: '1000000',
      // Everything comes from one address and a few accounts.
      LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '0',
      LIMIT_ADDRESS_REQUESTS_PER_MINUTE: '0',
      LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
    };
  }
}

/** PgBouncer by the sample of deploy/, in front of that server. */
export class Bouncer {
  private program?: Program;

  private constructor(
    private readonly config: string,
    private readonly port: number,
  ) {}

  static async start(folder: string, postgres: Postgres): Promise<Bouncer> {
    const [port, { port: serverPort }] = [await freePort(), new URL(postgres.url)];
    const sample = readFileSync(join(ROOT, 'deploy/pgbouncer.ini'), 'utf8');
    const config = sample
      .replace('host=database port=5432', `host=127.0.0.1 port=${serverPort}`)
      .replace(/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1')
      .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
      .replace(/^auth_type = .*$/m, 'auth_type = trust\nunix_socket_dir =')
      .replace(/^auth_file = .*$/m, `auth_file = ${join(folder, 'users.txt')}`);
    writeFileSync(join(folder, 'users.txt'), '"toolyard" ""\n');
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, config);
    const bouncer = new Bouncer(file, port);
    await bouncer.serve();
    return bouncer;
  }

  get url(): string {
    return `postgres://toolyard@127.0.0.1:${this.port}/toolyard`;
  }

  async serve(): Promise<void> {
    // It refuses to run as root.
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid', 'postgres', '--clear-groups'] : [];
    this.program = new Program('PgBouncer', [...asUser, 'pgbouncer', this.config], `${this.config}.log`);
    await until('PgBouncer starts', () => this.isUp(), 10_000);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.program?.end(signal);
  }

  private async isUp(): Promise<boolean> {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
