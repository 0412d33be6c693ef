import type { DataSource } from 'typeorm';
import { newFolder } from './embedded';
import { eventually } from './eventually';
import { holding } from './held-lock';
import { startToolyard, type ToolyardProcess } from './toolyard-process';

/**
 * What becomes of the statement that waits when its process is killed: PostgreSQL runs it to its end, as it does until it
 * notices that the client is gone, or it is broken off, as when the machine of the client and its connections vanish.
 */
export type Fate = 'finishes' | 'is broken off';

const BLOCKED = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'toolyard' AND wait_event_type = 'Lock'`;
const ALIVE = `SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1)`;

/** Two processes on one database, as behind a load balancer that sends everything to the first that lives. */
export class Replicas {
  /** The others are spare; each may still be starting. */
  private readonly processes: Promise<ToolyardProcess>[] = [];
  private serving!: ToolyardProcess;

  private constructor(private readonly dataSource: DataSource) {}

  static async start(dataSource: DataSource, env: Record<string, string>): Promise<Replicas> {
    const replicas = new Replicas(dataSource);
    for (let n = 0; n < 2; n++) replicas.add({ ...env, DATA_DIR: newFolder() });
    await Promise.all(replicas.processes);
    await replicas.useNext();
    return replicas;
  }

  /** Where requests go. */
  get url(): string {
    return this.serving.url;
  }

  /**
   * Kills the process that serves, in the middle of a step: while a statement of the step waits for a lock. From then on
   * the other one serves, and the killed one is started again to take its place after the next kill.
   *
   * @param lock what the statement waits for: `LOCK TABLE …`, `SELECT … FOR UPDATE`
   * @throws Error if the step was answered
   */
  async killDuring(step: () => Promise<unknown>, lock: string, fate: Fate): Promise<void> {
    const victim = this.serving;
    await holding(this.dataSource, lock, async (release) => {
      const outcome = step().then(
        () => 'answered',
        () => 'lost',
      );
      const waiting = await eventually(
        () => this.dataSource.query<{ pid: number }[]>(BLOCKED),
        ({ length }) => length > 0,
        10_000,
      );
      victim.signal('SIGKILL');
      await victim.exit;
      if ((await outcome) !== 'lost') throw new Error('The step was answered before the replica died.');
      const pids = waiting.map(({ pid }) => pid);
      if (fate === 'is broken off')
        await this.dataSource.query(`SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid`, [pids]);
      await release();
      await eventually(
        () => this.dataSource.query<object[]>(ALIVE, [pids]),
        ({ length }) => length === 0,
        10_000,
      );
    });
    this.add(victim.env);
    await this.useNext();
  }

  private add(env: Record<string, string>): void {
    const starting = startToolyard(env).then((process) => process.ready());
    // Nobody waits for the last one.
    starting.catch(() => undefined);
    this.processes.push(starting);
  }

  private async useNext(): Promise<void> {
    const next = await this.processes.shift();
    if (!next) throw new Error('There is no other replica.');
    this.serving = next;
  }
}
