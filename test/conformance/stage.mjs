import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as requestOf } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const START_MS = 120_000;
const STOP_MS = 30_000;
const LOG_LENGTH = 20_000;
/** Until an upstream has been asked for its lists. */
const LISTED_MS = 30_000;
/** Of one hop (RFC 9110, section 7.6.1). */
const OF_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade'];

/** A Toolyard of its own with an embedded database, behind a proxy that adds the access token to requests without one. */
export class Stage {
  /** What Toolyard has written last. */
  log = '';

  /** Compiles it if its sources have changed, and starts it. `env` adds to its configuration. */
  static async start(env = {}) {
    const build = spawnSync(process.execPath, [join(ROOT, '.scripts/build.mjs')], { stdio: 'inherit' });
    if (build.status !== 0) throw new Error('Toolyard does not compile.');
    const stage = new Stage();
    stage.work = mkdtempSync(join(tmpdir(), 'toolyard-conformance-'));
    try {
      await stage.begin(env);
    } catch (error) {
      await stage.stop();
      throw error;
    }
    return stage;
  }

  async begin(env) {
    const port = await freePort();
    this.service = `http://127.0.0.1:${port}`;
    this.proxy = createServer((request, response) => this.pass(request, response));
    this.proxy.listen(0, '127.0.0.1');
    await once(this.proxy, 'listening');
    this.publicUrl = `http://127.0.0.1:${this.proxy.address().port}`;
    this.env = {
      PATH: process.env.PATH,
      PORT: String(port),
      PUBLIC_URL: this.publicUrl,
      METRICS_PORT: '0',
      DATA_DIR: join(this.work, 'data'),
      SECRETS_KEY: randomBytes(32).toString('base64'),
      WEBHOOKS_ALLOW_HTTP: 'true',
      WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
      PUBLIC_LISTINGS: 'anybody',
      SHUTDOWN_DELAY_SECONDS: '0',
      LOG_LEVEL: 'warn',
      // Everything comes from one address.
      LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '0',
      LIMIT_ADDRESS_REQUESTS_PER_MINUTE: '0',
      LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
      ...env,
    };
    this.child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js')], {
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.log = (this.log + text).slice(-LOG_LENGTH)));
    await until(START_MS, 'Toolyard does not answer', async () => {
      if (this.child.exitCode !== null) throw new Error(`Toolyard ended:\n${this.log}`);
      return (await fetch(`${this.service}/readyz`).catch(() => undefined))?.ok;
    });
    const command = [join(ROOT, 'dist/src/commands/token.js'), '--email', 'ada@example.com'];
    this.token = spawnSync(process.execPath, command, { env: this.env, encoding: 'utf8' }).stdout.trim();
    this.orgId = (await this.call('POST', '/organisations', { name: 'Conformance' })).id;
  }

  async stop() {
    if (this.child && this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      const late = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(late);
    }
    this.proxy?.close();
    this.proxy?.closeAllConnections();
    rmSync(this.work, { recursive: true, force: true });
  }

  /** The REST API. */
  async call(method, path, body) {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${this.service}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /**
   * A bundle of servers, and its endpoint. Requests to it without a token get an access token of the bundle.
   *
   * @param upstreams `{ info: { name }, url }`
   * @returns once every list was read: `{ bundleId, url, token, entries }`, entries by the name of their server
   */
  async endpoint(upstreams, settings = {}) {
    const { id: bundleId } = await this.call('POST', '/bundles', { name: 'Everything', org_id: this.orgId });
    const entries = {};
    for (const upstream of upstreams) entries[upstream.info.name] = await this.addEntry(bundleId, upstream);
    const { url } = await this.call('PATCH', `/bundles/${bundleId}/endpoint`, { is_enabled: true, ...settings });
    const { token } = await this.call('POST', `/bundles/${bundleId}/access-tokens`, {
      name: 'Conformance',
      scopes: ['read', 'call'],
    });
    this.bundleToken = token;
    await until(LISTED_MS, 'A server was not listed', async () => {
      const { problems } = await this.call('POST', `/bundles/${bundleId}/compile`);
      return problems.every(({ code }) => code !== 'not_listed');
    });
    return { bundleId, url, token, entries };
  }

  /** @returns the id of a new entry of a bundle */
  async addEntry(bundleId, { info, url }) {
    const server = {
      name: `com.example/${info.name}`,
      description: 'Has everything.',
      version: '1.0.0',
      remotes: [{ type: 'streamable-http', url }],
    };
    const listing = { category: 'developer-tools', org_id: this.orgId, server };
    const { id } = await this.call('POST', '/mcp/listings', listing);
    await this.call('POST', `/mcp/listings/${id}/publish`);
    return (await this.call('POST', `/bundles/${bundleId}/entries`, { listing_id: id })).id;
  }

  /** Passes a request on as it is, `Host` and `Origin` included, so that Toolyard sees what a client behind a proxy sends. */
  pass(request, response) {
    const headers = { authorization: `Bearer ${this.bundleToken}`, ...withoutHop(request.headersDistinct) };
    const { method, url } = request;
    const onward = requestOf(this.service + url, { method, headers, agent: false });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.statusMessage, withoutHop(answer.headersDistinct));
      // Also of a stream on which nothing has happened yet.
      response.flushHeaders();
      pipeline(answer, response, () => undefined);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    pipeline(request, onward, () => undefined);
  }
}

function withoutHop(headersDistinct) {
  const kept = Object.entries(headersDistinct).filter(([name]) => !OF_HOP.includes(name));
  return Object.fromEntries(kept.map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Waits until something is so. @param what it would be that is not */
export async function until(withinMs, what, isSo) {
  for (const deadline = Date.now() + withinMs; ; await sleep(20)) {
    const found = await isSo();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} within ${withinMs / 1_000} s.`);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
