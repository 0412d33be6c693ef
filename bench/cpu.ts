import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** What `/proc` counts CPU time in: `USER_HZ`, which is 100 on every architecture that Node supports. */
const MS_PER_TICK = 10;

/** A service whose CPU time is measured: a process, and a connection to its database. */
export interface MeasuredService {
  pid: number;
  database: Client;
}

/** CPU time since the start of the processes; milliseconds, in steps of 10. */
export interface CpuTime {
  service: number;
  /** Of the whole cluster, background processes included: vacuuming what a request wrote is part of its cost. */
  database: number;
}

/**
 * The CPU time that a service and its database have used, in user and kernel mode, all threads. Only differences mean
 * anything. The cluster must serve nothing else in the meantime, and run on this machine.
 */
export async function cpuOf({ pid, database }: MeasuredService): Promise<CpuTime> {
  const { rows } = await database.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
  const backend = statOf(Number(rows[0]?.pid));
  if (!backend) throw new Error('The database does not run on this machine.');
  return { service: statOf(pid)?.own ?? NaN, database: cpuOfCluster(backend.parent) };
}

/** @param postmaster whose children end now and then; their time is then counted as that of its former children */
function cpuOfCluster(postmaster: number): number {
  const main = statOf(postmaster);
  if (!main) throw new Error('The postmaster has ended.');
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = pids.map((name) => statOf(Number(name))).filter((stat) => stat?.parent === postmaster);
  return children.reduce((total, stat) => total + (stat?.own ?? 0), main.own + main.former);
}

interface Stat {
  parent: number;
  /** Of the process; milliseconds. */
  own: number;
  /** Of its children that have ended. */
  former: number;
}

/** @returns undefined if the process has ended; see proc(5) for the fields, of which the second may contain spaces */
function statOf(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    own: (field(14) + field(15)) * MS_PER_TICK,
    former: (field(16) + field(17)) * MS_PER_TICK,
  };
}
