import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { PreparedAnswer } from '../http/answers/prepared-answer';
import type { Coding } from '../http/requests/content-coding';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
};

/** How the build calls the compressed copies of a file (`.scripts/build-console.mjs`). */
const COPIES: readonly [Coding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** A file of the console, in memory. */
export interface ConsoleFile {
  type: string;
  answer: PreparedAnswer;
}

/**
 * Reads the console as it was built.
 *
 * @param folder where the build has left it
 * @returns its files by their paths in it, such as `files/index-BO18xw7O.js`; empty if it was not built
 */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const type = TYPES[extname(path)];
    if (entry.isFile() && type !== undefined)
      files.set(relative(folder, path).split(sep).join('/'), { type, answer: answerOf(path) });
  }
  return files;
}

function answerOf(path: string): PreparedAnswer {
  const body = readFileSync(path);
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  const compressed = COPIES.filter(([, end]) => existsSync(path + end)).map(
    ([coding, end]) => [coding, { body: readFileSync(path + end), etag: `"${digest}-${coding}"` }] as const,
  );
  return { plain: { body, etag: `"${digest}"` }, compressed: new Map(compressed) };
}
