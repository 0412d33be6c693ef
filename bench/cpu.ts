import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** `_SC_CLK_TCK`, which is 100 on every Linux. */
const TICKS_PER_SECOND = 100;

/** The fields of `/proc/<pid>/stat` after the name, which may contain spaces; the first is the state. */
function statOf(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function millisecondsOf(fields: readonly string[], places: readonly number[]): number {
  return (places.reduce((sum, place) => sum + Number(fields[place]), 0) * 1_000) / TICKS_PER_SECOND;
}

/** @returns CPU time of a process so far; milliseconds */
export function cpuOfProcess(pid: number): number {
  return millisecondsOf(statOf(pid), [11, 12]);
}

/** @returns CPU time of a PostgreSQL server so far, with all of its processes, including those that ended; milliseconds */
export async function cpuOfDatabase(database: Client): Promise<number> {
  const { rows } = await database.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
  const server = statOf(rows[0]?.pid ?? 0)[1] ?? '';
  let sum = millisecondsOf(statOf(server), [11, 12, 13, 14]);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = statOf(pid);
      if (fields[1] === server) sum += millisecondsOf(fields, [11, 12]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}
