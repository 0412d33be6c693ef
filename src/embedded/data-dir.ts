import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from './data-dir-lock';

// DATA_DIR: who can access it (as root, PostgreSQL needs another user), and where the cluster is.

/** The prefix of folders in which a cluster is being created. */
export const DRAFT = 'postgres.tmp-';

/** The user for initdb and postgres if this process is root, as which PostgreSQL refuses to run. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * `mkdir -p`, but the modes of new folders do not depend on the umask. Existing folders stay as they are.
 * @param folder an absolute path
 * @throws an error of `node:fs`
 */
export function makeFolder(folder: string, mode: number): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let path = folder; path.length >= first.length; path = dirname(path)) chmodSync(path, mode);
}

/** Changes the owner of a folder and its content, without following links; only root may. */
export function giveTo(user: ServerUser, path: string): void {
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(path, name), user.uid, user.gid);
  }
  lchownSync(path, user.uid, user.gid);
}

/**
 * @param cluster the real path of the cluster, if it exists: its owner keeps running it
 * @returns otherwise "postgres", or "nobody"
 * @throws Error if neither exists
 */
export function serverUser(cluster: string | undefined): ServerUser {
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
      'Start Toolyard as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/**
 * Checks owners and modes only, so an access control list can make the result wrong.
 * @param path must exist
 * @param access the permissions needed on the path itself (4 read, 1 execute or enter), besides entering its parents
 */
export function canReach(path: string, user: ServerUser, access: number): boolean {
  const real = realpathSync(path);
  const { mode, uid, gid } = statSync(real);
  const granted = mode >> (uid === user.uid ? 6 : gid === user.gid ? 3 : 0);
  if ((granted & access) !== access) return false;
  return dirname(real) === real || canReach(dirname(real), user, 0o1);
}

/**
 * @param link `postgres` in DATA_DIR: the cluster, or a link to it
 * @returns the real path of the cluster; undefined if there is none yet
 * @throws Error if the link is broken: an empty database in its place would hide the loss
 */
export function clusterAt(link: string): string | undefined {
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) return undefined;
  if (existsSync(link)) return realpathSync(link);
  throw new Error(
    `${link} links to ${readlinkSync(link)}, which is gone. Bring it back, or remove the link to begin with an empty ` +
      'database.',
  );
}

/** Removes folders left incomplete by killed starts. Retries, as the initdb of such a start may still be running. */
export function removeDrafts(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Moves a cluster out of DATA_DIR and leaves a link to it there.
 * @throws Error if the target is on another file system, where a move is not atomic
 */
export function move(source: string, target: string, link: string): void {
  // The new link comes first: if this process is killed in between, `finishMove` sees where the cluster went.
  symlinkSync(target, `${link}.link`);
  try {
    renameSync(source, target);
  } catch (error) {
    rmSync(`${link}.link`);
    if (!hasCode(error, 'EXDEV')) throw error;
    throw new Error(
      `The database in ${source} cannot be reached by the user that runs PostgreSQL, and ${dirname(target)} is on ` +
        'another file system. Move DATA_DIR to a folder that every user can enter.',
      { cause: error },
    );
  }
  renameSync(`${link}.link`, link);
}

/** Completes an interrupted `move`, and discards one that had not begun. */
export function finishMove(link: string): void {
  const moved = lstatSync(link, { throwIfNoEntry: false }) === undefined && existsSync(`${link}.link`);
  if (moved) renameSync(`${link}.link`, link);
  else rmSync(`${link}.link`, { force: true });
}
