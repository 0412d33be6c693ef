import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import ts from 'typescript';
import { EmbeddedPostgres } from '../../src/embedded/embedded-postgres';
import { ROOT } from './root';

// Folders, servers and processes for the tests of the embedded PostgreSQL, which call `stopAll` after each test and
// `removeFolders` after all.

const SHARED_ROOT = '/var/lib/toolyard';
export const MODULES = join(ROOT, 'node_modules');
export const root = process.geteuid?.() === 0;

/** A test for root alone. A function, because `it` is another one in each suite, and this file is loaded once for all. */
export function asRoot(title: string, test: () => Promise<void>): void {
  (root ? it : it.skip)(title, test);
}

const folders: string[] = [];
const running = new Set<EmbeddedPostgres>();
export const children = new Set<ChildProcess>();
const sharedRootWasThere = fs.existsSync(SHARED_ROOT);

/** Removed by `removeFolders`, and so is what the server's user keeps for it. */
export function newFolder(mode = 0o755): string {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'toolyard-')));
  // mkdtemp makes it 0700: as root, PostgreSQL's user could not enter.
  fs.chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

/** Stopped by `stopAll`. */
export async function start(dataDir: string, flags: string[] = [], log: (line: string) => void = () => undefined) {
  const server = await EmbeddedPostgres.start(dataDir, log, { flags: ['fsync=off', ...flags] });
  running.add(server);
  return server;
}

export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

export const postmaster = (dir: string) => parseInt(fs.readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8'), 10);
export const sharedOf = (dir: string) => join(SHARED_ROOT, createHash('sha256').update(dir).digest('hex').slice(0, 12));

export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie, when nobody reaps here.
    return process.platform === 'linux' && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
  } catch {
    return true;
  }
}

/** A folder with the module as plain JavaScript, for processes that are killed or that run as somebody else. */
export function compiled(options: { onlyPg?: boolean } = {}): string {
  const folder = newFolder();
  for (const name of ['embedded-postgres', 'postgres-home', 'data-dir', 'data-dir-lock']) {
    const source = fs.readFileSync(join(ROOT, 'src/embedded', `${name}.ts`), 'utf8');
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
    fs.writeFileSync(join(folder, `${name}.js`), ts.transpileModule(source, { compilerOptions }).outputText);
  }
  fs.writeFileSync(
    join(folder, 'start.js'),
    `const { EmbeddedPostgres } = require('./embedded-postgres');
    EmbeddedPostgres.start(process.argv[2], () => undefined, { flags: ['fsync=off'] }).then((server) => {
      process.on('message', () => server.stop().then(() => process.disconnect()));
      process.send({ url: server.url });
    }, (error) => process.send({ error: error.message }, () => process.disconnect()));`,
  );
  fs.writeFileSync(
    join(folder, 'lock.js'),
    `const { DataDirLock } = require('./data-dir-lock');
    process.on('message', (file) => {
      try {
        process.send(Boolean(DataDirLock.acquire(file)));
      } catch (error) {
        process.send(error.name === 'LockHeldError' ? false : error.message);
      }
    });
    process.send('ready');`,
  );
  const modules = join(folder, 'node_modules');
  if (options.onlyPg) fs.mkdirSync(modules);
  fs.symlinkSync(options.onlyPg ? join(MODULES, 'pg') : MODULES, options.onlyPg ? join(modules, 'pg') : modules);
  return folder;
}

/** Killed by `stopAll`. */
export function child(
  script: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; uid?: number } = {},
): ChildProcess {
  const started = fork(script, args, { execArgv: [], cwd: dirname(script), stdio: 'inherit', ...options } as object);
  children.add(started);
  return started;
}

export async function stopped(starter: ChildProcess): Promise<void> {
  starter.send('stop');
  await once(starter, 'exit');
}

export async function answer(from: ChildProcess): Promise<{ url?: string; error?: string }> {
  const [message] = (await once(from, 'message')) as [{ url?: string; error?: string }];
  return message;
}

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((server) => server.stop()));
  running.clear();
  for (const each of children) {
    const ended = each.exitCode !== null || each.signalCode !== null ? undefined : once(each, 'exit');
    each.kill('SIGKILL');
    await ended;
  }
  children.clear();
}

export function removeFolders(): void {
  for (const folder of folders) {
    for (const dataDir of [folder, join(folder, 'data')]) {
      // The server of a child that a failed test killed.
      const pid = fs.existsSync(join(dataDir, 'postgres/postmaster.pid')) ? postmaster(dataDir) : 0;
      if (pid > 0 && !isGone(pid)) process.kill(pid, 'SIGQUIT');
      fs.rmSync(sharedOf(dataDir), { recursive: true, force: true });
    }
    fs.rmSync(folder, { recursive: true, force: true });
  }
  if (sharedRootWasThere) return;
  try {
    fs.rmdirSync(SHARED_ROOT);
  } catch {
    // Not there, or not empty: another test file may be at work in it.
  }
}
