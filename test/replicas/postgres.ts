import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { Program, until } from './program';

const BIN = '/usr/lib/postgresql/15/bin';
/** The database, its log of changes and some room to grow. */
const DISK_MIB = 3_072;
const MIB = Buffer.alloc(1_048_576);

/** PostgreSQL 15 of the machine, with a data directory on a small disk of its own if there is root to mount one. */
export class Postgres {
  private program?: Program;
  private readonly disk: string;
  private readonly isMounted: boolean;
  private readonly asUser: string[];

  private constructor(
    folder: string,
    private readonly port: number,
  ) {
    this.disk = join(folder, 'disk');
    this.asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid', 'postgres', '--clear-groups'] : [];
    mkdirSync(this.disk);
    this.isMounted =
      process.getuid?.() === 0 &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', this.disk]).status === 0;
  }

  /** @returns what is missing on this machine */
  static get missing(): string | undefined {
    return existsSync(join(BIN, 'postgres')) ? undefined : 'PostgreSQL 15 (apt-get install postgresql-15)';
  }

  static async start(folder: string, port: number): Promise<Postgres> {
    const server = new Postgres(folder, port);
    try {
      mkdirSync(server.data);
      if (server.asUser.length > 0) {
        const [uid, gid] = ['-u', '-g'].map((flag) =>
          Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
        );
        chownSync(server.data, uid ?? 0, gid ?? 0);
      }
      const [command = '', ...args] = [
        ...server.asUser,
        join(BIN, 'initdb'),
        ...['-D', server.data, '-U', 'toolyard', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
      ];
      execFileSync(command, args, { stdio: 'ignore' });
      await server.serve();
      await server.query('CREATE DATABASE toolyard', 'postgres');
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  get url(): string {
    return this.urlOf('toolyard');
  }

  /** Whether its disk can be filled without filling another one. */
  get hasOwnDisk(): boolean {
    return this.isMounted;
  }

  get hasEnded(): boolean {
    return this.program?.hasEnded ?? true;
  }

  /** Starts it; returns once it accepts connections. */
  async serve(): Promise<void> {
    const flags = ['listen_addresses=127.0.0.1', `port=${this.port}`, `unix_socket_directories=`].flatMap((f) => [
      '-c',
      f,
    ]);
    const command = [...this.asUser, join(BIN, 'postgres'), '-D', this.data, ...flags];
    this.program = new Program('PostgreSQL', command, join(this.disk, '../postgres.log'));
    await until('PostgreSQL starts', () => this.isUp(), 60_000);
  }

  /** Returns once it accepts connections, after a recovery of its own for example. */
  async isReady(): Promise<void> {
    await until('PostgreSQL is back', async () => !this.hasEnded && (await this.isUp()), 60_000);
  }

  /** Fast shutdown and start, as `systemctl restart` does. */
  async restart(): Promise<void> {
    await this.program?.end('SIGINT');
    await this.serve();
  }

  /** Stops every process of the server; connections stay open. */
  freeze(): void {
    // The postmaster first, so that no process is added meanwhile.
    for (const pid of this.pids()) send(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.pids().reverse()) send(pid, 'SIGCONT');
  }

  /** Leaves no byte on the disk. */
  fillDisk(): void {
    const file = openSync(this.ballast, 'a');
    try {
      for (let length = MIB.length; length >= 512;) {
        try {
          writeSync(file, MIB, 0, length);
          fdatasyncSync(file);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          length /= 2;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  emptyDisk(): void {
    rmSync(this.ballast, { force: true });
  }

  async query<Row extends object>(sql: string, database = 'toolyard'): Promise<Row[]> {
    const client = new Client({ connectionString: this.urlOf(database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async remove(): Promise<void> {
    if (!this.hasEnded) this.thaw();
    await this.program?.end('SIGQUIT');
    if (this.isMounted) spawnSync('umount', [this.disk]);
  }

  private get data(): string {
    return join(this.disk, 'data');
  }

  private get ballast(): string {
    return join(this.disk, 'ballast');
  }

  private urlOf(database: string): string {
    return `postgres://toolyard@127.0.0.1:${this.port}/${database}`;
  }

  private async isUp(): Promise<boolean> {
    if (this.hasEnded) throw new Error('PostgreSQL ended while it started; see its log.');
    try {
      await this.query('SELECT 1', 'postgres');
      return true;
    } catch {
      return false;
    }
  }

  /** The postmaster, then its children. */
  private pids(): number[] {
    const postmaster = this.program?.pid ?? 0;
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
      .map(Number);
    return [postmaster, ...children];
  }
}

/** A child may have ended meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function parentOf(pid: string): number {
  try {
    // "pid (name) state ppid …"; the name may contain anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')[1]);
  } catch {
    return 0;
  }
}
