import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import {
  answer,
  asRoot,
  child,
  compiled,
  MODULES,
  newFolder,
  postmaster,
  query,
  removeFolders,
  root,
  sharedOf,
  start,
  stopAll,
} from '../support/embedded';

const NOBODY = 65_534;
const readModules = ['-e', `fs.readdirSync(${JSON.stringify(MODULES)})`];
const nobodyCanRunUs = root && spawnSync(process.execPath, readModules, { uid: NOBODY }).status === 0;

afterEach(stopAll);
afterAll(removeFolders);

describe('The embedded PostgreSQL, started by root', () => {
  asRoot('runs the server as another user, even from a folder that only root can enter', async () => {
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

  asRoot('hands a cluster restored by root over to the user that runs the server', async () => {
    const dataDir = newFolder();
    const server = await start(dataDir);
    await query(server.url, 'CREATE TABLE kept (n int)');
    await server.stop();
    const cluster = join(dataDir, 'postgres');
    for (const name of ['.', ...fs.readdirSync(cluster, { recursive: true, encoding: 'utf8' })]) {
      fs.chownSync(join(cluster, name), 0, 0);
    }
    expect(await query((await start(dataDir)).url, 'SELECT n FROM kept')).toEqual([]);
  });

  asRoot('moves a cluster if its folder was closed to the user that owns it', async () => {
    const folder = newFolder();
    const dataDir = join(folder, 'data');
    const server = await start(dataDir);
    await query(server.url, 'CREATE TABLE kept (n int)');
    await server.stop();
    expect(fs.lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(false);
    fs.chmodSync(folder, 0o700);
    await (await start(dataDir)).stop();
    // What a kill during the move leaves.
    fs.renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres.link'));
    expect(await query((await start(dataDir)).url, 'SELECT n FROM kept')).toEqual([]);
    expect(fs.lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
  });

  asRoot('protects a cluster from a second start through a copy of the folder that links to it', async () => {
    const closed = join(newFolder(0o700), 'data');
    await start(closed);
    const copy = newFolder();
    for (const name of ['postgres', 'postgres.password']) {
      fs.cpSync(join(closed, name), join(copy, name), { verbatimSymlinks: true });
    }
    await expect(start(copy)).rejects.toThrow(`DATA_DIR ${copy} is in use`);
  });

  // Skipped where an ordinary user cannot read this folder, and so cannot run what was compiled here.
  (nobodyCanRunUs ? it : it.skip)('explains to an ordinary user that root has run there before', async () => {
    const dataDir = newFolder();
    await (await start(dataDir)).stop();
    const script = join(compiled(), 'start.js');
    const closed = await answer(child(script, [dataDir], { uid: NOBODY }));
    expect(closed.error).toMatch(/cannot be used \(EACCES.*such as root.*set DATA_DIR to another folder/);
    fs.chmodSync(dataDir, 0o777);
    const foreign = await answer(child(script, [dataDir], { uid: NOBODY }));
    expect(foreign.error).toMatch(/belongs to another user.*set DATA_DIR to another folder/);
  });
});
