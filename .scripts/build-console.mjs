// Builds the console with Vite into dist/console, with a compressed copy of each file, unless nothing has changed since the
// last build. `.scripts/build.mjs` calls it.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'dist/console');
const RECORD = join(ROOT, 'dist/.console.sha256');
/** The lock file stands for the packages; what the pages without a script share is imported from src/pages. */
const INPUTS = ['console', 'src/pages', 'package-lock.json', '.scripts/build-console.mjs'];
/** Pictures and fonts are compressed already. */
const COMPRESSED = /\.(html|js|css|svg|md|json)$/;

/** @returns whether something was built */
export async function buildConsole() {
  const digest = digestOf(INPUTS.flatMap(filesIn));
  if (existsSync(join(OUTPUT, 'index.html')) && existsSync(RECORD) && readFileSync(RECORD, 'utf8') === digest)
    return false;
  // Vite would read its configuration as a module of Node in a later release; it is one, but there is no package.json beside it.
  process.env['VITE_CONFIG_NATIVE_IGNORE_WARNING'] = 'true';
  // Of a test runner it is `test`, for which Vite compiles what only a development server can run.
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    // Only now: Vite takes half a second to load.
    const { build } = await import('vite');
    await build({ configFile: join(ROOT, 'console/vite.config.ts'), logLevel: 'warn', mode: 'production' });
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  }
  await Promise.all(
    filesIn('dist/console')
      .filter((path) => COMPRESSED.test(path))
      .map(compress),
  );
  writeFileSync(RECORD, digest);
  return true;
}

/** @returns paths relative to the root, in a stable order */
function filesIn(input) {
  const path = join(ROOT, input);
  if (!existsSync(path)) return [];
  if (/\.\w+$/.test(input)) return [input];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

async function compress(path) {
  const file = join(ROOT, path);
  const bytes = readFileSync(file);
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, brotli), promisify(gzip)(bytes, { level: 9 })]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}
