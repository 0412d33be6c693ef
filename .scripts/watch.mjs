// `npm run start:watch`: compiles what changes, and starts the program again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';

const ROOT = join(import.meta.dirname, '..');
/** Editors write several files at once. */
const QUIET_MS = 100;

const start = () =>
  spawn(process.execPath, ['--enable-source-maps', join(ROOT, 'dist/src/main.js'), '--local'], { stdio: 'inherit' });

let changes = withResolvers();
let timer;
for (const folder of ['src', 'migrations']) {
  watch(join(ROOT, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => changes.resolve(), QUIET_MS);
  });
}
// The program shuts down by itself; the terminal has sent it the signal, too.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit());

for (;;) {
  changes = withResolvers();
  const program = await build().then(start, (error) => void process.stderr.write(`${error.message}\n`));
  await changes.promise;
  if (!program || program.exitCode !== null) continue;
  program.kill('SIGTERM');
  await once(program, 'exit');
}

/** `Promise.withResolvers` of Node 22. */
function withResolvers() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
