// A client of MCP as far as the suite is concerned: it has Toolyard connect an account at the server of a scenario, by following
// its pages as a browser does, and calls a tool through the endpoint of a bundle. Run by the suite, with the address of the server.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const META = 'io.modelcontextprotocol/';
const REVISION = '2026-07-28';
const MAX_HOPS = 10;
/** How often a person would try again. */
const MAX_OFFERS = 2;
const LISTED_MS = 6_000;

const stage = JSON.parse(readFileSync(process.env.TOOLYARD_STAGE, 'utf8'));
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const serverUrl = process.argv.at(-1);

const { bundleId, entryId, endpoint } = await addEntry();
if (context.client_id !== undefined)
  await api('POST', '/credentials', {
    ...{ bundle_id: bundleId, entry_id: entryId, kind: 'OAUTH_CLIENT' },
    ...{ client_id: context.client_id, client_secret: context.client_secret },
  });
const { url } = await api('POST', '/credentials/connect', { bundle_id: bundleId, entry_id: entryId });
await connect(url);
const token = endpointToken();
const first = await listedTool();
await callTool(first);
// Where the server has refused the account meanwhile, that tool has connected another one.
if (first.endsWith('__connect')) await callTool(await listedTool());
process.stdout.write('The tool was called.\n');

async function addEntry() {
  const server = {
    name: `com.example/${randomUUID()}`,
    description: 'Has a tool.',
    version: '1.0.0',
    remotes: [{ type: 'streamable-http', url: serverUrl }],
  };
  const listing = await api('POST', '/mcp/listings', { category: 'developer-tools', org_id: stage.orgId, server });
  await api('POST', `/mcp/listings/${listing.id}/publish`);
  const bundle = await api('POST', '/bundles', { name: process.env.MCP_CONFORMANCE_SCENARIO, org_id: stage.orgId });
  const fields = { listing_id: listing.id, credential_mode: 'PERSONAL' };
  const entry = await api('POST', `/bundles/${bundle.id}/entries`, fields);
  const { url: address } = await api('PATCH', `/bundles/${bundle.id}/endpoint`, { is_enabled: true });
  return { bundleId: bundle.id, entryId: entry.id, endpoint: address };
}

async function api(method, path, body) {
  const headers = { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${stage.service}/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Opens the page, presses its button, and goes wherever that leads. */
async function connect(page) {
  const shown = await browse(page);
  const fields = [...shown.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]+)"/g)];
  if (fields.length === 0) throw new Error(`The page has no form (${shown.status}): ${titleOf(shown)}`);
  let current = await browse(page, new URLSearchParams(fields.map(([, name, value]) => [name, value])));
  for (let hop = 0; hop < MAX_HOPS && current.next !== undefined; hop++) current = await browse(current.next);
  if (titleOf(current) !== 'Connected') throw new Error(`Not connected (${current.status}): ${titleOf(current)}`);
}

function titleOf({ text }) {
  return /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? text.slice(0, 200);
}

/** One request of a browser in which a person is signed in. */
async function browse(address, form) {
  const to = new URL(address, stage.publicUrl);
  const isOurs = to.origin === stage.publicUrl;
  const answer = await fetch(isOurs ? stage.service + to.pathname + to.search : to, {
    method: form ? 'POST' : 'GET',
    body: form,
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      ...(isOurs ? { cookie: cookies(), 'sec-fetch-site': form ? 'same-origin' : 'cross-site' } : {}),
    },
  });
  if (isOurs) for (const line of answer.headers.getSetCookie()) keep(line);
  const text = await answer.text();
  const refresh = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  const next = answer.headers.get('location') ?? refresh;
  return { status: answer.status, text, next: next && new URL(next, to).href };
}

function cookies() {
  return Object.entries(stage.cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

function keep(line) {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (name) stage.cookies[name] = value;
}

/** An access token of the person, whose audience is the endpoint. */
function endpointToken() {
  const env = { ...stage.env, OIDC_AUDIENCE: endpoint };
  const { stdout, stderr } = spawnSync(process.execPath, [stage.tokenCommand, '--email', stage.email], {
    env,
    encoding: 'utf8',
  });
  if (stdout.trim() === '') throw new Error(stderr);
  return stdout.trim();
}

async function request(method, params, headers = {}) {
  const _meta = {
    [`${META}protocolVersion`]: REVISION,
    [`${META}clientCapabilities`]: { elicitation: { url: {} } },
    [`${META}clientInfo`]: { name: 'conformance', version: '1' },
  };
  const answer = await fetch(stage.service + new URL(endpoint).pathname, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': REVISION, 'mcp-method': method },
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params: { ...params, _meta } }),
  });
  const text = await answer.text();
  const data = text.startsWith('{')
    ? text
    : text
        .split('\n')
        .findLast((line) => line.startsWith('data: '))
        ?.slice(6);
  const { result, error } = JSON.parse(data);
  if (!result) throw new Error(`${method}: ${answer.status} ${JSON.stringify(error)}`);
  return result;
}

async function listedTool() {
  for (const deadline = Date.now() + LISTED_MS; ; await sleep(200)) {
    const { tools } = await request('tools/list', {});
    if (tools[0]) return tools[0].name;
    if (Date.now() > deadline) throw new Error('The server lists no tool.');
  }
}

/** Calls a tool, and connects with more rights where it is asked to. */
async function callTool(name) {
  const params = { name, arguments: {} };
  let result = await request('tools/call', params, { 'mcp-name': name });
  for (let offers = 0; result.resultType === 'input_required'; offers++) {
    if (offers === MAX_OFFERS) throw new Error('It asks for more rights again and again.');
    await connect(result.inputRequests.connect.params.url);
    const { requestState } = result;
    const again = { ...params, requestState, inputResponses: { connect: { action: 'accept' } } };
    result = await request('tools/call', again, { 'mcp-name': name });
  }
  if (result.isError) throw new Error(JSON.stringify(result.content));
}
