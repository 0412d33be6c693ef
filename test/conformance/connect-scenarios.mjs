import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stage } from './stage.mjs';

const SUITE = '@modelcontextprotocol/conformance';
const REVISION = '2026-07-28';
/** How many scenarios about authorization of clients the revision requires. */
export const CONNECT_SCORED = 25;
const SCENARIO_MS = 60_000;
/** The suite wants the address of a document of its own as the id of a client; ours is the address of ours. */
const PUBLIC_URL = 'https://conformance-test.local';
const EMAIL = 'ada@example.com';

/**
 * Runs the client scenarios `auth/…` of the suite against connecting accounts.
 *
 * @param packages as `installPackages` gives them
 * @param only the name of one scenario; by default all that are required
 * @returns `{ scenario, isScored, isWanted, checks }` of each
 */
export async function runConnectScenarios(packages, only) {
  const setUpToken = randomBytes(24).toString('hex');
  const stage = await Stage.start({ PUBLIC_URL, CREDENTIALS_OVER_LOOPBACK_HTTP: 'true', SETUP_TOKEN: setUpToken });
  try {
    const cookies = await signIn(stage, setUpToken);
    const about = join(stage.work, 'stage.json');
    const { service, token, orgId, env } = stage;
    const tokenCommand = join(import.meta.dirname, '../../dist/src/commands/token.js');
    writeFileSync(
      about,
      JSON.stringify({ service, publicUrl: PUBLIC_URL, token, orgId, env, cookies, tokenCommand, email: EMAIL }),
    );
    const results = [];
    for (const scenario of only === undefined ? requiredOf(packages) : [only])
      results.push(await runScenario(packages, stage, scenario, about));
    return results;
  } finally {
    await stage.stop();
  }
}

/** Sets the instance up, which signs the person in. @returns the cookies of their browser */
async function signIn({ service }, setUpToken) {
  const cookies = {};
  const keep = (answer) => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies[name] = value;
    }
  };
  const page = await fetch(`${service}/setup`, { headers: { accept: 'text/html' } });
  keep(page);
  const fields = {
    csrf_token: /name="csrf_token" value="([^"]+)"/.exec(await page.text())[1],
    ...{
      token: setUpToken,
      organisation: 'Tests',
      name: 'Ada',
      email: EMAIL,
      password: randomBytes(16).toString('hex'),
    },
  };
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const headers = { accept: 'text/html', cookie, 'sec-fetch-site': 'same-origin' };
  const done = await fetch(`${service}/setup`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  });
  if (done.status !== 303) throw new Error(`The instance was not set up: ${done.status} ${await done.text()}`);
  keep(done);
  return cookies;
}

async function runScenario(packages, stage, scenario, about) {
  const output = join(stage.work, scenario.replace('/', '-'));
  mkdirSync(output);
  const client = `${process.execPath} ${join(import.meta.dirname, 'connect-client.mjs')}`;
  const args = [
    ...[packages.find(SUITE, 'dist/index.js'), 'client', '--command', client, '--scenario', scenario],
    ...['--spec-version', REVISION, '--output-dir', output, '--timeout', String(SCENARIO_MS / 2)],
  ];
  const env = { ...process.env, TOOLYARD_STAGE: about };
  const child = spawn(packages.node, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const late = setTimeout(() => child.kill('SIGKILL'), SCENARIO_MS);
  const [code] = await once(child, 'close');
  clearTimeout(late);
  const file = findChecks(output);
  return {
    scenario,
    isScored: true,
    isWanted: true,
    code,
    said,
    checks: file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8')),
  };
}

function findChecks(folder) {
  const found = readdirSync(folder, { recursive: true }).find((name) => String(name).endsWith('checks.json'));
  return found === undefined ? undefined : join(folder, String(found));
}

function requiredOf(packages) {
  const text = readFileSync(packages.find(SUITE, `requirements/${REVISION}.yaml`), 'utf8');
  const [, list] = /^client:\n((?: {2}- \S+\n)+)/m.exec(text);
  return list.split('\n').flatMap((line) => (line.startsWith('  - auth/') ? [line.slice('  - '.length)] : []));
}

// By itself: node test/conformance/connect-scenarios.mjs <folder of packages> [<scenario>]
if (process.argv[1] === import.meta.filename) {
  const { installPackages } = await import('./packages.mjs');
  const packages = installPackages([SUITE], 'the scenarios of clients were not run', process.argv[2]);
  for (const { scenario, code, said, checks } of await runConnectScenarios(packages, process.argv[3])) {
    const count = (status) => checks.filter((check) => check.status === status).length;
    process.stdout.write(
      `${scenario}: exit ${code}, ${count('SUCCESS')} ok, ${count('FAILURE')} failed, ${count('WARNING')} warnings\n`,
    );
    for (const { id, status, errorMessage, description } of checks)
      if (status === 'FAILURE' || status === 'WARNING')
        process.stdout.write(`  ${status} ${id}: ${errorMessage ?? description}\n`);
    if (process.argv[3] !== undefined || count('FAILURE') > 0) process.stdout.write(`${said.slice(-2_500)}\n`);
  }
  packages.remove();
}
