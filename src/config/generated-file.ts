import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads a secret that this installation generates itself; if there is none yet, writes `fresh` first. The file is
 * written under another name and then linked, so that nobody reads half a file and the first of several writers wins.
 *
 * @returns the file's content, readable by its owner only
 */
export function generatedFile(dataDir: string, name: string, fresh: string): string {
  const path = join(dataDir, name);
  const existing = read(path);
  if (existing !== undefined) return existing;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, fresh, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(path, 'utf8');
  } finally {
    unlinkSync(draft);
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
