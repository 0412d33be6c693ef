import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Not `availableParallelism()`, which is 1 for a process that is confined to one. */
export const ALL_CORES = `0-${cpus().length - 1}`;

/**
 * Confines processes and all their threads and children to one core, as `taskset -a -c` does; what they start later
 * inherits it. So a service and its database share one core, and the load comes from another.
 *
 * @param cores one, or a range such as `0-1`
 */
export function pin(pid: number, cores: number | string): void {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = ids.filter((id) => parentOf(Number(id)) === pid).map(Number);
  for (const one of [pid, ...children]) {
    execFileSync('taskset', ['-a', '-c', '-p', String(cores), String(one)], { stdio: 'ignore' });
  }
}

/** @returns 0 if the process has ended */
export function parentOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
