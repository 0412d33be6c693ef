// Compiles with SWC what has changed since the last build, in seconds; `npm run typecheck` finds wrong types.
// dist/ gets the program (src, migrations), the console and, with --tests, what the tests and benches share (test, bench).
//
//   node .scripts/build.mjs [--tests]
import { transformFile } from '@swc/core';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.mjs';

const HERE = join(import.meta.dirname, '..');
/** The digest of each source as it was compiled, so that a second `npm start` begins immediately. */
const RECORD = 'dist/.sources.json';
/** What `nest build` and `tsc` leave behind: then dist/ is not ours. */
const FOREIGN_RECORD = 'dist/.tsbuildinfo';
/** The lock file stands for the compiler. */
const SETTINGS = ['.swcrc', 'package-lock.json', '.scripts/build.mjs'];
const PROGRAM = ['src', 'migrations'];
const TESTS = ['test', 'bench'];

const digest = (...contents) =>
  contents.reduce((hash, content) => hash.update(content), createHash('sha256')).digest('hex');
const isSource = (path) => !/(spec|\.d)\.ts$|\.md$/.test(path);
const outputOf = (path) => join('dist', path.replace(/\.ts$/, '.js'));

/**
 * @param root the project; another checkout of it is compiled with the settings of this one
 * @param tests whether what tests and benches share is compiled, too
 * @returns how many files were compiled or copied
 */
export async function build({ root = HERE, tests = false } = {}) {
  const settings = digest(...SETTINGS.map((name) => readFileSync(join(HERE, name))));
  const built = lastBuild(root, settings);
  if (Object.keys(built).length === 0) rmSync(join(root, 'dist'), { recursive: true, force: true });
  const files = { ...built };
  for (const path of Object.keys(built)) {
    if (existsSync(join(root, path))) continue;
    for (const output of [outputOf(path), `${outputOf(path)}.map`]) rmSync(join(root, output), { force: true });
    delete files[path];
  }
  const changed = [];
  // The digests are of before the build: a source that changes in the meantime is compiled by the next one.
  for (const path of (tests ? [...PROGRAM, ...TESTS] : PROGRAM).flatMap((folder) => sourcesIn(root, folder))) {
    files[path] = digest(readFileSync(join(root, path)));
    if (files[path] !== built[path] || !existsSync(join(root, outputOf(path)))) changed.push(path);
  }
  if (changed.length === 0 && Object.keys(files).length === Object.keys(built).length) return 0;
  // Without it, an interrupted build is begun again.
  rmSync(join(root, RECORD), { force: true });
  await Promise.all(changed.map((path) => compile(root, path)));
  writeFileSync(join(root, RECORD), JSON.stringify({ settings, files }));
  return changed.length;
}

function lastBuild(root, settings) {
  if (!existsSync(join(root, RECORD)) || existsSync(join(root, FOREIGN_RECORD))) return {};
  const record = JSON.parse(readFileSync(join(root, RECORD), 'utf8'));
  return record.settings === settings ? record.files : {};
}

/** @returns the paths below the folder, relative to `root` */
function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(isSource);
}

async function compile(root, path) {
  const output = join(root, outputOf(path));
  mkdirSync(dirname(output), { recursive: true });
  if (!path.endsWith('.ts')) return copyFileSync(join(root, path), output);
  const options = { cwd: root, configFile: join(HERE, '.swcrc'), outputPath: output };
  const { code, map } = await transformFile(join(root, path), options);
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  writeFileSync(`${output}.map`, map);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const compiled = await build({ tests: process.argv.includes('--tests') });
  if (compiled > 0) process.stderr.write(`Compiled ${compiled} files.\n`);
  if (await buildConsole()) process.stderr.write('Built the console.\n');
}
