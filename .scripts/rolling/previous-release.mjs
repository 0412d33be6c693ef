import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** The release that this one has to work beside; `migrations/previous-release.json` moves with each release. */
export const PREVIOUS = JSON.parse(readFileSync(join(ROOT, 'migrations/previous-release.json'), 'utf8'));

/**
 * Unpacks the previous release from git into a temporary folder, with the dependencies of this one, which are the same or
 * more.
 *
 * @returns the folder, to be removed by the caller; undefined if git does not have the commit
 */
export function unpackPrevious() {
  const archive = spawnSync('git', ['archive', '--format=tar', PREVIOUS.commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  if (archive.status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'toolyard-previous-'));
  extract(archive.stdout, folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Replaces the migrations of the unpacked release by those of this one. */
export function replaceMigrations(folder) {
  rmSync(join(folder, 'migrations'), { recursive: true });
  cpSync(join(ROOT, 'migrations'), join(folder, 'migrations'), { recursive: true });
}

/** Compiles the unpacked release. */
export async function buildPrevious(folder) {
  await build({ root: folder });
}

function extract(tar, folder) {
  const { status, stderr } = spawnSync('tar', ['-x', '-C', folder], { input: tar });
  if (status !== 0) throw new Error(`tar: ${stderr}`);
}
