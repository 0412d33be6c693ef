import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DatabaseProxy } from '../support/proxy';
import { freePort } from '../support/toolyard-process';
import { createCast } from './cast';
import { Ledger } from './ledger';
import { Load } from './load';
import { Postgres } from './postgres';
import { type Scenario, SCENARIOS, type Scene } from './scenarios';
import { judge, type Row, table } from './section';
import { Bouncer, FAKE_TIME, ROOT, Stack } from './stack';

const USAGE = `Runs replicas and a worker behind HAProxy under load, breaks one thing after the other, and says what failed.

  npm run test:replicas -- [--only ${SCENARIOS.map(({ id }) => id).join(',')}]
      --replicas 2          of the API
      --rate 200            requests per second
      --seconds 60          the least time of the rolling restart
      --rounds 5            of restarts
      --memory-seconds 600  of the load without a fault
      --shutdown-delay 5    SHUTDOWN_DELAY_SECONDS of the processes
      --keep                keep the logs
`;
/** The delivery of a killed worker is reclaimed after 40 s, and may have failed once. */
const EVENTS_MS = 100_000;
const WARM_UP_MS = 8_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      replicas: { type: 'string', default: '2' },
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      rounds: { type: 'string', default: '5' },
      'memory-seconds': { type: 'string', default: '600' },
      'shutdown-delay': { type: 'string', default: '5' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const [replicas, rate, seconds, rounds, memorySeconds, shutdownDelay] = [
    ...[
      values.replicas,
      values.rate,
      values.seconds,
      values.rounds,
      values['memory-seconds'],
      values['shutdown-delay'],
    ],
  ].map((text) => {
    if (!/^\d+$/.test(text)) throw new Error(`"${text}" is not a number.\n\n${USAGE}`);
    return Number(text);
  }) as [number, number, number, number, number, number];
  if (replicas < 2) throw new Error(`Two replicas at least.\n\n${USAGE}`);
  const scenarios = wanted(values.only);
  const missing = whatIsMissing(scenarios);
  if (missing.length > 0) {
    process.stderr.write(`SKIPPED: replicas were not tried. This needs ${missing.join(', ')}.\n`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolyard-replicas-'));
  chmodSync(folder, 0o755);
  process.stderr.write(`Logs: ${folder}\n`);
  const ends: (() => unknown)[] = [];
  const rows: Row[] = [];
  try {
    const postgres = await Postgres.start(folder, await freePort());
    ends.push(() => postgres.remove());
    const ledger = await Ledger.open();
    ends.push(() => ledger.close());
    const direct = { DATABASE_URL: postgres.url };
    const stack = new Stack({ folder, replicas, shutdownDelay, database: direct });
    ends.push(() => stack.stop());
    await stack.start();
    const cast = await createCast(stack, ledger, postgres);
    const scene: Scene = { stack, postgres, cast, options: { rounds, seconds, memorySeconds }, say };
    for (const scenario of scenarios) {
      if (scenario.stack === 'pooled' && !scene.bouncer) {
        scene.bouncer = await Bouncer.start(folder, postgres);
        const { bouncer } = scene;
        ends.push(() => bouncer.end('SIGKILL'));
        const proxy = await DatabaseProxy.before(postgres.url);
        ends.push(() => proxy.close());
        scene.proxy = proxy;
        await stack.moveTo({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: proxy.url });
      } else if (scenario.stack === 'direct' && scene.bouncer) {
        scene.bouncer = undefined;
        await stack.moveTo(direct);
      }
      rows.push(await play(scenario, scene, ledger, rate));
    }
    report(rows, stack.errors);
  } finally {
    for (const end of ends.reverse()) await Promise.resolve(end()).catch((error: unknown) => say(String(error)));
    if (!values.keep && process.exitCode === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function play(scenario: Scenario, scene: Scene, ledger: Ledger, rate: number): Promise<Row> {
  say(`── ${scenario.title}`);
  const { stack, postgres, cast } = scene;
  const load = new Load(stack.url, cast, ledger, rate);
  const expectedBefore = ledger.expectedCount;
  load.start();
  await sleep(WARM_UP_MS);
  const before = stack.memory;
  const {
    faultEnded,
    explains,
    problems = [],
    memoryBefore = before,
  } = await scenario.run(scene).catch(async (error: unknown) => {
    // Otherwise it would keep this process running.
    await load.stop();
    throw error;
  });
  const memoryAfter = stack.memory;
  await load.stop();
  const ended = performance.now();
  while (ledger.missing.length > 0 && performance.now() < ended + EVENTS_MS) await sleep(100);
  const row = judge({
    name: scenario.title,
    goals: { ...scenario.goals, explains },
    samples: load.samples,
    faultEnded,
    memoryBefore,
    memoryAfter,
    lostChanges: await ledger.differences(postgres),
    lostEvents: ledger.missing,
    expectedEvents: ledger.expectedCount - expectedBefore,
    problems,
  });
  ledger.giveUp();
  say(`${row.cells.join(' | ')}; events complete after ${((performance.now() - ended) / 1_000).toFixed(1)} s`);
  for (const problem of row.problems) say(`  ${problem}`);
  return row;
}

function wanted(only: string | undefined): readonly Scenario[] {
  if (only === undefined) return SCENARIOS;
  return only.split(',').map((id) => {
    const scenario = SCENARIOS.find((one) => one.id === id);
    if (!scenario) throw new Error(`There is no scenario "${id}".\n\n${USAGE}`);
    return scenario;
  });
}

function whatIsMissing(scenarios: readonly Scenario[]): string[] {
  const has = (program: string) => spawnSync(program, ['-v'], { stdio: 'ignore' }).error === undefined;
  const missing = [Postgres.missing].filter((one) => one !== undefined);
  if (!has('haproxy')) missing.push('HAProxy (apt-get install haproxy)');
  if (scenarios.some(({ stack }) => stack === 'pooled') && !has('pgbouncer'))
    missing.push('PgBouncer (apt-get install pgbouncer)');
  if (scenarios.some(({ id }) => id === 'clock') && !existsSync(FAKE_TIME))
    missing.push('libfaketime (apt-get install libfaketime)');
  if (!existsSync(join(ROOT, 'dist/src/main.js'))) missing.push('a build (npm run build)');
  return missing;
}

function report(rows: readonly Row[], errors: readonly string[]): void {
  const version = (command: string, ...args: string[]) => {
    const { stdout = '' } = spawnSync(command, args, { encoding: 'utf8' });
    return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'absent';
  };
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const [cpu] = cpus();
  process.stdout.write(`${table(rows)}\n\n`);
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cpus().length} × ${cpu?.model}, Node ${process.versions.node}, ` +
      `PostgreSQL ${version('/usr/lib/postgresql/15/bin/postgres', '-V')}, HAProxy ${version('haproxy', '-v')}, ` +
      `PgBouncer ${version('pgbouncer', '--version')}.\n`,
  );
  for (const { cells, problems } of rows)
    for (const problem of problems) process.stdout.write(`MISSED: ${cells[0]}: ${problem}\n`);
  // A 500 or an unexpected failure, whatever the client saw of it.
  for (const error of errors.slice(0, 20)) process.stdout.write(`LOGGED: ${error}\n`);
  if (rows.some(({ problems }) => problems.length > 0)) process.exitCode = 1;
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
