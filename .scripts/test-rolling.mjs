// A rolling deploy as docs/operating/README.md describes it: two replicas of the previous release behind HAProxy
// (deploy/haproxy.cfg) under load, on a database with much in it. A process of this release migrates while they serve; then
// it replaces them one at a time. Prints what each migration took, the longest locks, and how the requests fared; fails if a
// request failed, or if a lock was held for more than a second.
//
//   npm run test:rolling [-- --people 100000 --versions 80000 --events 1000000 --per-second 100 --seconds 15
//     --balancer deploy/haproxy.cfg]
//
// Needs git, Debian's PostgreSQL 15 and HAProxy, and psql. Takes about five minutes.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startLoad } from './rolling/load.mjs';
import { watchLocks } from './rolling/lock-watch.mjs';
import { buildPrevious, PREVIOUS, unpackPrevious } from './rolling/previous-release.mjs';

const ROOT = join(import.meta.dirname, '..');
const BIN = '/usr/lib/postgresql/15/bin';
const ORG = '0192f000-0000-7000-8000-000000000001';
const MAX_LOCK_MS = 1_000;
const START_MS = 600_000;
/** Requests pile up here, so that nothing can be said about the deploy. */
const BUSY_MS = 1_000;

const SIZES = `
  SELECT relname AS table, reltuples::int AS rows, round(pg_total_relation_size(oid) / 1048576.0)::int AS "MiB with indexes"
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_total_relation_size(oid) > 8388608
  ORDER BY 3 DESC`;
const CONNECTIONS = `
  SELECT application_name AS connections, count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() GROUP BY 1 ORDER BY 2 DESC`;

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    versions: { type: 'string', default: '80000' },
    events: { type: 'string', default: '1000000' },
    'per-second': { type: 'string', default: '100' },
    seconds: { type: 'string', default: '15' },
    balancer: { type: 'string', default: join(ROOT, 'deploy/haproxy.cfg') },
  },
});
const { balancer: configuration, ...counts } = values;
const sizes = Object.fromEntries(Object.entries(counts).map(([name, text]) => [name, wholeNumber(name, text)]));

const missing = [
  existsSync(join(BIN, 'initdb')) || 'PostgreSQL 15 (apt-get install postgresql-15)',
  spawnSync('haproxy', ['-v']).error === undefined || 'HAProxy (apt-get install haproxy)',
  spawnSync('psql', ['--version']).error === undefined || 'psql (apt-get install postgresql-client)',
].filter((answer) => answer !== true);
const previous = missing.length === 0 ? unpackPrevious() : undefined;
if (previous === undefined) {
  const needs = missing.length > 0 ? missing.join(', ') : `git and commit ${PREVIOUS.commit}`;
  process.stderr.write(`SKIPPED: no rolling deploy was tried. This needs ${needs}.\n`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'toolyard-rolling-'));
chmodSync(work, 0o755);
const children = [];
let isClusterUp = false;
try {
  await main();
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  if (isClusterUp) asPostgres('pg_ctl', ['-D', join(work, 'cluster'), '-m', 'immediate', '-w', 'stop']);
  rmSync(work, { recursive: true, force: true });
  rmSync(previous, { recursive: true, force: true });
}

async function main() {
  say(`The previous release is ${PREVIOUS.commit.slice(0, 7)}. Compiling both …`);
  await buildPrevious(previous);
  const { status } = spawnSync(process.execPath, [join(ROOT, '.scripts/build.mjs')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('This release does not compile.');

  const server = await startCluster();
  const url = `${server}/toolyard`;
  const [balancer, ...ports] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    DATA_DIR: join(work, 'data'),
    PUBLIC_URL: 'http://toolyard.test',
    SECRETS_KEY: randomBytes(32).toString('base64'),
    TRUSTED_PROXIES: '127.0.0.1/32',
    METRICS_PORT: '0',
    // Everything comes from a few accounts.
    LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '0',
    LIMIT_ADDRESS_REQUESTS_PER_MINUTE: '0',
    LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
  };
  mkdirSync(env.DATA_DIR);
  const database = new pg.Client({ connectionString: url });
  const old = (n) => startService(`old-${n + 1}`, previous, { ...env, PORT: String(ports[n]) });
  const fresh = (name, n, more = {}) =>
    startService(name, ROOT, { ...env, PORT: String(ports[n]), LOG_LEVEL: 'debug', ...more });

  const replicas = [await old(0)];
  say(`Filling: ${sizes.events} events, ${sizes.people} people, ${sizes.versions} versions …`);
  fill(url);
  replicas.push(await old(1));
  await database.connect();
  const tokens = await makeTokens(env, `http://127.0.0.1:${ports[0]}`, database);
  startBalancer(balancer, ports);
  const base = `http://127.0.0.1:${balancer}`;
  await until(async () => (await fetch(`${base}/readyz`)).ok);

  const load = await startLoad({ base, tokens, org: ORG, people: sizes.people, perSecond: sizes['per-second'] });
  await sleep(sizes.seconds * 1_000);
  say('The worker of this release starts, and migrates …');
  load.phase('migrating');
  const locks = await watchLocks(url);
  const worker = await fresh('new-worker', 2, { RUN: 'worker' });
  load.phase('old on new schema');
  await sleep(sizes.seconds * 1_000);
  for (const n of [0, 1]) {
    say(`Replica ${n + 1} is replaced …`);
    load.phase(`replacing ${n + 1}`);
    await stopService(replicas[n]);
    replicas[n] = await fresh(`new-${n + 1}`, n, { RUN: 'api' });
    // Until the balancer has noticed.
    await sleep(2_000);
  }
  load.phase('after');
  await sleep(sizes.seconds * 1_000);
  const longest = await locks.stop();
  const phases = await load.stop();
  const { rows } = await database.query(SIZES);
  const memory = [...replicas, worker].map(({ name, child }) => ({
    process: name,
    'resident MiB': residentMiB(child),
  }));
  const { rows: connections } = await database.query(CONNECTIONS);
  await database.end();
  for (const service of [...replicas, worker]) await stopService(service);

  say('\nMigrations');
  const line = /Migration (\w+): (\d+) ms/;
  const migrations = readFileSync(worker.log, 'utf8')
    .split('\n')
    .flatMap((text) => {
      const [, migration, ms] = line.exec(text) ?? [];
      return migration ? [{ migration, ms: Number(ms) }] : [];
    });
  console.table(migrations);
  say('Longest locks on tables of the previous release that keep writers out');
  console.table(
    longest.map(({ relation, mode, ms, waitedMs }) => ({
      table: relation,
      mode,
      'held ms': ms,
      'waited ms': waitedMs,
    })),
  );
  say(`Requests: ${sizes['per-second']} a second`);
  console.table(phases.map(({ failures: _, ...figures }) => figures));
  say('Sizes, now');
  console.table(rows);
  console.table(memory);
  console.table(connections);

  const failures = phases.flatMap((phase) => phase.failures.map((failure) => `${phase.phase}: ${failure}`));
  for (const failure of failures.slice(0, 20)) process.stderr.write(`FAILED: ${failure}\n`);
  const [{ 'p50 ms': usual }] = phases;
  if (usual > BUSY_MS)
    throw new Error(`Even before the deploy, half of the requests took more than ${usual} ms: lower --per-second.`);
  const slowest = Math.max(0, ...longest.map(({ ms, waitedMs }) => ms + waitedMs));
  if (migrations.length === 0) throw new Error('Nothing was migrated.');
  if (failures.length > 0) throw new Error(`${failures.length} requests failed.`);
  if (slowest > MAX_LOCK_MS) throw new Error(`A lock kept others waiting for ${slowest} ms.`);
  say(`ok: no failed request; the longest lock kept others waiting for ${slowest} ms`);
}

function wholeNumber(name, text) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} ${text} is not a whole number above 0.`);
  return Number(text);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** As root, PostgreSQL does not run. */
function asPostgres(program, args) {
  const command = [join(BIN, program), ...args];
  const [first, ...rest] =
    process.getuid() === 0 ? ['setpriv', '--reuid=postgres', '--clear-groups', ...command] : command;
  const { status } = spawnSync(first, rest, { stdio: ['ignore', 'ignore', 'inherit'], cwd: work });
  if (status !== 0) throw new Error(`${program} ended with code ${status}.`);
}

async function startCluster() {
  const folder = join(work, 'cluster');
  mkdirSync(folder);
  if (process.getuid() === 0) {
    const uid = Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout);
    chownSync(folder, uid, 0);
  }
  const port = await freePort();
  asPostgres('initdb', ['-D', folder, '-U', 'toolyard', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} -c shared_buffers=256MB -c max_wal_size=4GB`;
  asPostgres('pg_ctl', ['-D', folder, '-l', join(folder, 'log'), '-w', 'start', '-o', settings]);
  isClusterUp = true;
  const server = `postgres://toolyard@127.0.0.1:${port}`;
  const admin = new pg.Client({ connectionString: `${server}/postgres` });
  await admin.connect();
  await admin.query('CREATE DATABASE toolyard');
  await admin.end();
  return server;
}

function fill(url) {
  const sets = ['people', 'versions', 'events'].flatMap((name) => ['-v', `${name}=${sizes[name]}`]);
  const args = [url, '-X', '-q', '-v', 'ON_ERROR_STOP=1', ...sets, '-f', join(ROOT, '.scripts/rolling/fill.sql')];
  const { status } = spawnSync('psql', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The database could not be filled.');
}

function startBalancer(port, [first, second]) {
  const env = {
    TOOLYARD_BIND: `127.0.0.1:${port}`,
    TOOLYARD_SERVER_1: `127.0.0.1:${first}`,
    TOOLYARD_SERVER_2: `127.0.0.1:${second}`,
  };
  const log = openSync(join(work, 'haproxy.log'), 'w');
  const args = ['-db', '-f', configuration];
  children.push(spawn('haproxy', args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', log, log] }));
}

/** @returns once it is ready: `{ name, child, log }` */
async function startService(name, folder, env) {
  const log = join(work, `${name}.log`);
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, [join(folder, 'dist/src/main.js')], { env, stdio: ['ignore', output, output] });
  children.push(child);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
    return (await fetch(`http://127.0.0.1:${env.PORT}/readyz`)).ok;
  });
  return { name, child, log };
}

async function stopService({ name, child }) {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`${name} ended with code ${child.exitCode}.`);
}

/** An owner of the large organisation, by the previous release's own command, and a token for its directory. */
async function makeTokens(env, api, database) {
  const command = [
    join(previous, 'dist/src/commands/token.js'),
    '--sub',
    'rolling',
    '--email',
    'rolling@example.com',
    '--ttl',
    '1d',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
  const user = stdout.trim();
  if (user === '') throw new Error(stderr);
  const call = async (path, body) => {
    const headers = { authorization: `Bearer ${user}`, 'content-type': 'application/json' };
    const answer = await fetch(api + path, {
      method: body ? 'POST' : 'GET',
      headers,
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { id } = await call('/v1/users/me');
  await database.query(
    `INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, 'OWNER', 'OWNER')`,
    [ORG, id],
  );
  const { token } = await call(`/v1/organisations/${ORG}/scim/tokens`, { name: 'Rolling' });
  return { user, scim: token };
}

async function until(isSo) {
  for (const deadline = Date.now() + START_MS; ; await sleep(100)) {
    const answer = await isSo().catch((error) => {
      if (error.cause === undefined) throw error;
      return false;
    });
    if (answer) return;
    if (Date.now() > deadline) throw new Error('It took too long.');
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function residentMiB({ pid }) {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1_024);
}
