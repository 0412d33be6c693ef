// Runs the conformance suite of MCP (@modelcontextprotocol/conformance) against the endpoint of a bundle, which has one entry
// with the names of its server (`PLAIN`): every server scenario that 2025-11-25 and 2026-07-28 require, and those of headers,
// which the suite does not score yet. Then it runs the scenarios of clients about authorization, which 2026-07-28 requires,
// against connecting accounts at servers behind endpoints. Prints each scenario; fails if one of them does.
//
//   npm run test:conformance [-- --packages <folder> --control --upstream <url>]
//
// The suite is installed into a temporary folder, or is there already (`--packages`); it needs Node 22. `--control` also runs
// it against the server itself, without Toolyard, to tell whose failure it is;
// `--upstream` takes another server of this machine that has what the scenarios ask for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONNECT_SCORED, runConnectScenarios } from './connect-scenarios.mjs';
import { installPackages } from './packages.mjs';
import { EverythingServer } from './server/everything-server.mjs';
import { Stage } from './stage.mjs';

const SUITE = '@modelcontextprotocol/conformance';
/** How many scenarios of servers each revision requires, and which others have to pass. */
const REVISIONS = {
  '2026-07-28': { scored: 37, also: ['http-header-validation', 'http-custom-header-server-validation'] },
  '2025-11-25': { scored: 30, also: [] },
};
const SUITE_MS = 300_000;

const { values } = parseArgs({
  options: { packages: { type: 'string' }, control: { type: 'boolean', default: false }, upstream: { type: 'string' } },
});
const packages = installPackages([SUITE], 'the conformance suite was not run', values.packages);
const own = values.upstream === undefined ? await EverythingServer.start('everything') : undefined;
const upstream = own ?? { info: { name: 'everything' }, url: values.upstream };
let stage;
try {
  stage = await Stage.start();
  const { url } = await stage.endpoint([upstream], { naming: 'PLAIN' });
  const failures = [];
  for (const [revision, wanted] of Object.entries(REVISIONS)) {
    if (values.control) await runSuite('the server itself', upstream.url, revision, wanted);
    const results = await runSuite('the endpoint', url, revision, wanted);
    failures.push(...failuresOf(results, revision, wanted));
  }
  await stage.stop();
  stage = undefined;
  const connected = await runConnectScenarios(packages);
  print('Revision 2026-07-28, connecting accounts', connected);
  failures.push(...failuresOf(connected, '2026-07-28', { scored: CONNECT_SCORED, also: [] }));
  for (const failure of failures) process.stderr.write(`FAILED: ${failure}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  await stage?.stop();
  await own?.close();
  packages.remove();
}

/** @returns `{ scenario, isScored, isWanted, checks }` of each scenario; a wanted one has to pass */
async function runSuite(subject, url, revision, { also }) {
  const output = join(stage.work, `${subject} ${revision}`);
  mkdirSync(output);
  const suite = packages.find(SUITE, 'dist/index.js');
  const args = [suite, 'server', '--url', url, '--requirements', revision, '--output-dir', output];
  const child = spawn(packages.node, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const late = setTimeout(() => child.kill('SIGKILL'), SUITE_MS);
  await once(child, 'close');
  clearTimeout(late);
  const scored = requiredBy(revision);
  const results = readdirSync(output).map((folder) => {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder);
    const file = join(output, folder, 'checks.json');
    // One that has thrown leaves nothing behind.
    const checks = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    const isScored = scored.includes(scenario);
    return { scenario, isScored, isWanted: isScored || also.includes(scenario), checks };
  });
  if (results.length === 0) throw new Error(`The suite has run nothing:\n${said.slice(-4_000)}`);
  print(`Revision ${revision}, ${subject}`, results);
  return results;
}

function print(title, results) {
  const lines = results.map(({ scenario, isScored, checks }) => {
    const count = (status) => checks.filter((check) => check.status === status).length;
    const mark = count('FAILURE') > 0 ? '✗' : count('SUCCESS') > 0 ? '✓' : '–';
    const warnings = count('WARNING') > 0 ? `, ${count('WARNING')} warnings` : '';
    return `${mark} ${scenario}${isScored ? '' : ' (not scored)'}: ${count('SUCCESS')} passed, ${count('FAILURE')} failed${warnings}`;
  });
  const scored = results.filter(({ isScored }) => isScored);
  const passed = scored.filter(({ checks }) => !hasFailed(checks)).length;
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n${passed} of ${scored.length} scored scenarios passed.\n`);
  for (const { scenario, checks } of results.filter(({ isWanted }) => isWanted))
    for (const { id, status, errorMessage } of checks)
      if (status === 'FAILURE' || status === 'WARNING')
        process.stdout.write(`  ${status} ${scenario} › ${id}: ${String(errorMessage).slice(0, 600)}\n`);
}

function failuresOf(results, revision, { scored, also }) {
  const ran = results.filter(({ isScored }) => isScored).length;
  const missing = also.filter((name) => !results.some(({ scenario }) => scenario === name));
  return [
    ...(ran === scored ? [] : [`${ran} scored scenarios of ${revision} ran, not ${scored}`]),
    ...missing.map((name) => `${name} did not run`),
    ...results
      .filter(({ isWanted, checks }) => isWanted && hasFailed(checks))
      .map(({ scenario }) => `${scenario} of ${revision}`),
  ];
}

/** One that has shown nothing has passed nothing. */
function hasFailed(checks) {
  const has = (wanted) => checks.some(({ status }) => status === wanted);
  return has('FAILURE') || !has('SUCCESS');
}

/** The scenarios of servers that a revision requires, as the suite has them. */
function requiredBy(revision) {
  const text = readFileSync(packages.find(SUITE, `requirements/${revision}.yaml`), 'utf8');
  const [, list] = /^server:\n((?: {2}- \S+\n)+)/m.exec(text);
  return list.split('\n').flatMap((line) => (line === '' ? [] : line.slice('  - '.length)));
}
