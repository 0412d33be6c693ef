import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Who may use DATA_DIR: one process at a time.

/** A live process holds the lock. */
export class LockHeldError extends Error {
  /** @param pid the process that holds the lock; it may be this very process */
  constructor(readonly pid: number) {
    super(`The lock is held by process ${pid}.`);
    this.name = 'LockHeldError';
  }
}

/**
 * A lock file that cannot outlive its holder: it names the holder (pid, and on Linux the start time of that process),
 * so one left behind by `kill -9`, a reboot or an earlier run of a container does not count. Node has no flock(), hence
 * the care. It works between processes that see each other's pids, so not between two containers that share a volume.
 */
export class DataDirLock {
  private constructor(
    private readonly file: string,
    private readonly text: string,
  ) {}

  /**
   * Takes the lock or fails immediately; it never waits.
   * @param file the path of the lock; its folder exists and is writable
   * @returns the lock, held until `release()` or the end of this process
   * @throws LockHeldError if a live process holds it; an error of `node:fs` if the folder is not writable
   */
  static acquire(file: string): DataDirLock {
    // The random part makes every holder's text unique, which is how a reclaimer distinguishes holders.
    const text = `${process.pid}\n${lifeOf(process.pid)?.birth ?? ''}\n${randomUUID()}\n`;
    // Written elsewhere and then linked, so that no one ever reads a partial lock.
    const draft = `${file}.${process.pid}-${randomUUID()}`;
    writeFileSync(draft, text, { flag: 'wx', mode: 0o644 });
    try {
      DataDirLock.claim(file, draft);
    } finally {
      rmSync(draft, { force: true });
    }
    sweepDrafts(file);
    return new DataDirLock(file, text);
  }

  /** Releases the lock. Does nothing if it was released before. */
  release(): void {
    // The folder may have been deleted and created again: never remove another holder's lock.
    if (readIfThere(this.file) === this.text) rmSync(this.file, { force: true });
  }

  private static claim(file: string, draft: string): void {
    for (;;) {
      if (linkIfFree(draft, file)) return;
      const content = readIfThere(file);
      if (content === undefined) continue;
      const [pid, birth] = content.split('\n');
      if (isRunning(Number(pid), birth)) throw new LockHeldError(Number(pid));
      // Stale. Of several processes that see this, only the one that holds the lock named after this very text may
      // replace it, and only if it is still there: a slower one then reads a different text and tries again.
      const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
      const reclaim = DataDirLock.acquire(`${file}.${digest}`);
      try {
        if (readIfThere(file) !== content) continue;
        renameSync(draft, file);
        return;
      } finally {
        reclaim.release();
      }
    }
  }
}

/**
 * @param pid a process id; an invalid one counts as not running
 * @param birth if known, the second line of its lock, to tell it from a later process with the same pid
 * @returns whether the process runs; a zombie does not
 */
export function isRunning(pid: number, birth = ''): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (!pidIsTaken(pid)) return false;
  const life = lifeOf(pid);
  if (life === undefined) return true;
  return !life.ended && (birth === '' || birth === life.birth);
}

/**
 * Whether a process is the PostgreSQL server of one cluster. Where that cannot be determined (Windows), any running
 * process counts.
 * @param pid a process id, normally from `postmaster.pid`
 * @param cluster the real path of the cluster's folder
 */
export function isPostgresOf(pid: number, cluster: string): boolean {
  if (!isRunning(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') {
    try {
      const line = execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8', stdio: 'pipe' });
      return line.includes('postgres') && line.includes(cluster);
    } catch {
      return false;
    }
  }
  const words = readIfThere(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  if (basename(words[0] ?? '') !== 'postgres') return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    // Root in a container may not inspect a process of another user, but its command line is public.
    return words.includes(cluster);
  }
}

/** Also true for a zombie: PostgreSQL itself does the same check before it trusts a `postmaster.pid`. */
export function pidIsTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** @returns the file's text, or undefined if the file does not exist; throws every other error */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // ESRCH: a file in /proc whose process ended between open and read.
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

/** @returns whether the error has one of these codes, such as `ENOENT` */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  // Not by `instanceof`: under jest, Node's errors are not instances of our `Error`.
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** @returns undefined where it cannot be determined: not Linux, or /proc is hidden */
function lifeOf(pid: number): { birth: string; ended: boolean } | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 2 is the command and may contain spaces and brackets: count from its last bracket; field 3 follows.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    if (state === undefined || start === undefined) return undefined;
    return { birth: `${start}@${boot}`, ended: state === 'Z' || state === 'X' };
  } catch {
    return undefined;
  }
}

/** Removes drafts of processes that were killed before they could. */
function sweepDrafts(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const pid = name.startsWith(`${basename(file)}.`) ? /\.(\d+)-[^.]+$/.exec(name)?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(dirname(file), name), { force: true });
  }
}

function linkIfFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}
