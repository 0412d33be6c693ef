// Tries deploy/prometheus and deploy/grafana with Debian's Prometheus: checks and tests the rules, then lets Prometheus
// scrape a service under load, and asks it every query of the dashboard and every rule. Each query has to return data.
//
//   npm run try:prometheus
//
// Needs `apt-get install prometheus` (Prometheus 2.42 with promtool). DATABASE_URL is an empty database for the trial; an
// embedded one without it.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const RULES = join(ROOT, 'deploy/prometheus/toolyard.rules.yml');
const START_MS = 120_000;
const LOAD_MS = 45_000;
const CALLERS = 8;
const STOP_MS = 30_000;
const SCRAPE = '1s';
/** What Grafana would make of its variables. */
const VARIABLES = { $__rate_interval: '30s', $job: 'toolyard', $instance: '.+' };

for (const program of ['prometheus', 'promtool']) {
  if (spawnSync(program, ['--version']).status === 0) continue;
  process.stderr.write(
    `SKIPPED: alerts and dashboard were not tried. ${program} is missing: apt-get install prometheus\n`,
  );
  process.exit(0);
}

run('promtool', ['check', 'rules', RULES]);
run('promtool', ['test', 'rules', RULES.replace('.rules.', '.rules.test.')]);
run('node', [join(ROOT, '.scripts/build.mjs')]);

const work = mkdtempSync(join(tmpdir(), 'toolyard-prometheus-'));
const children = [];
let receiver;
try {
  receiver = createServer((request, response) => response.writeHead(request.url === '/broken' ? 500 : 204).end());
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const [port, metricsPort, prometheusPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const env = {
    ...process.env,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: join(work, 'data'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOKS_ALLOW_HTTP: 'true',
    WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
    PUBLIC_LISTINGS: 'anybody',
    LOG_LEVEL: 'warn',
  };
  const service = `http://127.0.0.1:${port}`;
  start('node', [join(ROOT, 'dist/src/main.js')], env);
  await answers(`${service}/readyz`);
  const token = spawnSync('node', [join(ROOT, 'dist/src/commands/token.js'), '--email', 'ada@example.com'], {
    env,
    encoding: 'utf8',
  }).stdout.trim();
  const prometheus = startPrometheus(metricsPort, prometheusPort);
  await answers(`${prometheus}/-/ready`);
  await load(service, token, `http://127.0.0.1:${receiver.address().port}`);
  const faults = [...(await faultsOfRules(prometheus)), ...(await faultsOfPanels(prometheus))];
  for (const fault of faults) process.stderr.write(`FAILED: ${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await Promise.all(children.map(stop));
  receiver?.close();
  rmSync(work, { recursive: true, force: true });
}

function startPrometheus(metricsPort, port) {
  const config = join(work, 'prometheus.yml');
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: SCRAPE, evaluation_interval: SCRAPE },
      rule_files: [RULES],
      scrape_configs: [{ job_name: 'toolyard', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
    }),
  );
  const address = `127.0.0.1:${port}`;
  const flags = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(work, 'tsdb')}`,
    `--web.listen-address=${address}`,
  ];
  start('prometheus', [...flags, '--log.level=error'], process.env);
  return `http://${address}`;
}

/** A little of everything: reads, changes, webhooks that arrive and fail, syncs, tokens, sign-ins that fail. */
async function load(service, token, target) {
  const call = async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(service + path, { method, headers, body: body && JSON.stringify(body) });
    return answer.headers.get('content-type')?.startsWith('application/json') ? answer.json() : undefined;
  };
  const { id: org_id } = await call('POST', '/v1/organisations', { name: 'Seen' });
  for (const path of ['/works', '/broken'])
    await call('POST', '/v1/webhooks', { target_url: target + path, event_types: ['bundle.created'], org_id });
  const listTools = await endpoint(service, call, org_id);
  const until = Date.now() + LOAD_MS;
  let requests = 0;
  const caller = async () => {
    while (Date.now() < until) {
      await call('POST', '/v1/bundles', { name: `Bundle ${requests}`, org_id });
      await call('GET', '/v1/mcp/categories');
      await call('GET', '/v1/bundles');
      await call('GET', '/v1/bundles/none');
      await listTools();
      await fetch(`${service}/readyz`);
      if (requests % 50 === 0) await call('POST', `/v1/organisations/${org_id}/scim/sync`);
      requests += 6;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  process.stdout.write(`${requests} requests in ${LOAD_MS / 1_000} s.\n`);
}

/** A bundle without servers as an MCP endpoint. @returns sends it a request */
async function endpoint(service, call, org_id) {
  const { id } = await call('POST', '/v1/bundles', { name: 'Endpoint', org_id });
  await call('PATCH', `/v1/bundles/${id}/endpoint`, { is_enabled: true });
  const { token } = await call('POST', `/v1/bundles/${id}/access-tokens`, { name: 'Client', scopes: ['read'] });
  const [revision, method] = ['2026-07-28', 'tools/list'];
  const mark = 'io.modelcontextprotocol/';
  const _meta = { [`${mark}protocolVersion`]: revision, [`${mark}clientCapabilities`]: {} };
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': revision,
    'Mcp-Method': method,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } });
  return async () => {
    const answer = await fetch(`${service}/mcp/bundles/${id}`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
  };
}

/** Every rule has to be evaluated without an error. */
async function faultsOfRules(prometheus) {
  const { data } = await (await fetch(`${prometheus}/api/v1/rules`)).json();
  const rules = data.groups.flatMap((group) => group.rules);
  const firing = rules.filter(({ state }) => state === 'firing').map(({ name }) => name);
  process.stdout.write(`${rules.length} rules evaluated; firing: ${firing.join(', ') || 'none'}.\n`);
  const broken = rules.filter(({ health }) => health !== 'ok');
  return [
    ...(rules.length === 0 ? ['Prometheus has no rules.'] : []),
    ...broken.map(({ name, lastError }) => `rule ${name}: ${lastError ?? 'not evaluated'}`),
  ];
}

/** Every query of every panel has to return at least one number. */
async function faultsOfPanels(prometheus) {
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/toolyard.json'), 'utf8'));
  const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  const faults = [];
  for (const { title, expr } of queries) {
    const query = Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expr);
    const answer = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query })}`);
    const { status, error, data } = await answer.json();
    const numbers = (data?.result ?? []).filter(({ value }) => Number.isFinite(Number(value[1])));
    if (status !== 'success') faults.push(`panel "${title}": ${error}\n  ${query}`);
    else if (numbers.length === 0) faults.push(`panel "${title}" has no data\n  ${query}`);
  }
  process.stdout.write(
    `${queries.length} queries of the dashboard asked, ${queries.length - faults.length} with data.\n`,
  );
  return faults;
}

function run(program, args) {
  const { status } = spawnSync(program, args, { stdio: 'inherit', cwd: ROOT });
  if (status !== 0) process.exit(status ?? 1);
}

function start(program, args, env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  children.push({ child, exit });
}

async function stop({ child, exit }) {
  child.kill('SIGTERM');
  const late = AbortSignal.timeout(STOP_MS);
  late.onabort = () => child.kill('SIGKILL');
  await exit;
  late.onabort = null;
}

async function answers(address) {
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error(`${address} did not answer within ${START_MS / 1_000} s.`);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
