// Compiles only if the sources differ from those of the last build, so that a second `npm start` begins immediately.
// dist/.sources contains the digest of the sources and of the compiler's output, so that a build by other means
// (`nest start --watch`) is noticed too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const RECORD = join(ROOT, 'dist/.sources');
// The lock file stands for the compiler and the types of every dependency.
const SETTINGS = ['nest-cli.json', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

function digestOfSources() {
  const files = ['src', 'migrations'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('spec.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const hash = createHash('sha256');
  for (const file of [...SETTINGS.map((name) => join(ROOT, name)), ...files.sort()]) {
    const content = readFileSync(file);
    hash.update(`${file.slice(ROOT.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The content of dist/.sources if dist/ was compiled from these sources and has not been modified since. */
function record(sources) {
  const written = createHash('sha256')
    .update(read(join(ROOT, 'dist/.tsbuildinfo')))
    .digest('hex');
  return `${sources} ${written}`;
}

// Computed before the build: a source that changes in the meantime is compiled by the next start.
const sources = digestOfSources();
if (record(sources) !== read(RECORD).toString()) {
  rmSync(RECORD, { force: true });
  process.stderr.write('Compiling: the sources are new or have changed. This takes about a minute, once.\n');
  const build = spawnSync(process.execPath, [join(ROOT, 'node_modules/@nestjs/cli/bin/nest.js'), 'build'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (build.status !== 0) process.exit(build.status ?? 1);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(RECORD, record(sources));
}
