// Tries real MCP clients, unchanged, at the endpoint of a bundle with a server of each era: the official SDK in versions 1 and
// 2, and the command line of the Inspector. Each connects, lists, calls, reports progress, cancels, answers what servers ask,
// and hears of changed lists: after an edit of an entry and after a notification of a server, within a second.
//
//   npm run test:clients [-- --packages <folder>]
//
// The clients are installed into a temporary folder, or are there already (`--packages`); they need Node 22.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installPackages } from './packages.mjs';
import { sdkOne, sdkTwo } from './sdk-clients.mjs';
import { EverythingServer } from './server/everything-server.mjs';
import { Stage, until } from './stage.mjs';

const SDK_1 = '@modelcontextprotocol/sdk';
const SDK_2 = '@modelcontextprotocol/client';
const INSPECTOR = '@modelcontextprotocol/inspector';
/** How soon a client has to hear of a change, and a server of a cancellation. */
const SOON_MS = 1_000;
/** What is waited for in vain. */
const PATIENCE_MS = 10_000;
/** Until Toolyard listens to a server that has come into use. */
const LISTENING_MS = 30_000;
/** A server that says all the time that its lists have changed is asked less often. */
const QUIET_MS = 3_000;
const INSPECTOR_MS = 60_000;

const { values } = parseArgs({ options: { packages: { type: 'string' } } });
const packages = installPackages([SDK_1, SDK_2, INSPECTOR], 'real clients were not tried', values.packages);
const servers = [];
let stage;
let failures = 0;
try {
  stage = await Stage.start();
  const [old, fresh, spare] = [
    await EverythingServer.start('old', ['legacy']),
    await EverythingServer.start('new', ['modern']),
    await EverythingServer.start('spare'),
  ];
  servers.push(old, fresh, spare);
  const endpoint = await stage.endpoint(servers);
  await until(LISTENING_MS, 'Toolyard does not listen to the servers', () => {
    const streams = [...old.sessions.values()].filter(({ stream }) => stream);
    return streams.length > 0 && fresh.listening.size > 0;
  });
  const place = { endpoint, old, fresh };
  await tryClient('SDK 1', await sdkOne(packages, endpoint), place);
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }])
    await tryClient(`SDK 2, ${JSON.stringify(mode)}`, await sdkTwo(packages, endpoint, mode), place);
  for (const era of ['legacy', 'modern', 'auto']) await tryInspector(era, endpoint);
  process.stdout.write(failures === 0 ? '\nok: every client did everything\n' : `\n${failures} failed\n`);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await stage?.stop();
  await Promise.all(servers.map((server) => server.close()));
  packages.remove();
}

/** Prints how a step went. @param work returns what to print */
async function step(name, work) {
  try {
    process.stdout.write(`  ✓ ${name}: ${(await work()) ?? 'ok'}\n`);
  } catch (error) {
    failures++;
    process.stdout.write(`  ✗ ${name}: ${error.stack}\n`);
  }
}

async function tryClient(name, client, { endpoint, old, fresh }) {
  process.stdout.write(`\n${name}\n`);
  await step('connect', async () => `${await client.connect()}`);
  await step('list', async () => {
    const { tools, prompts, resources } = await client.lists();
    for (const wanted of ['old__test_simple_text', 'new__test_simple_text']) require(tools.includes(wanted), tools);
    require(prompts.includes('old__test_simple_prompt'), prompts);
    require(resources.includes('test://static-text'), resources);
    return `${tools.length} tools, ${prompts.length} prompts, ${resources.length} resources`;
  });
  for (const [prefix, server] of [
    ['old', old],
    ['new', fresh],
  ]) {
    await step(`call (${prefix})`, async () => {
      const { content } = await client.call(`${prefix}__test_simple_text`, {});
      require(content[0].text === 'This is a simple text response for testing.', content);
    });
    await step(`call with a parameter in a header (${prefix})`, async () => {
      const { content } = await client.call(`${prefix}__test_x_mcp_header`, { region: 'Zürich' });
      require(content[0].text === 'The region is Zürich.', content);
    });
    await step(`progress (${prefix})`, async () => {
      const heard = [];
      await client.call(
        `${prefix}__test_tool_with_progress`,
        {},
        { onprogress: ({ progress }) => heard.push(progress) },
      );
      require(heard.join() === '0,50,100', heard);
    });
    await step(`cancel (${prefix})`, async () => {
      const controller = new AbortController();
      const before = server.cancelled.length;
      const call = client.call(`${prefix}__test_slow`, { seconds: 30 }, { signal: controller.signal });
      call.catch(() => undefined);
      await until(PATIENCE_MS, 'The server was not called', () => server.callsOf('test_slow') > 0);
      const since = performance.now();
      controller.abort();
      await until(PATIENCE_MS, 'The server did not hear of it', () => server.cancelled.length > before);
      return soon(since);
    });
    await step(`elicitation (${prefix})`, async () => {
      const before = client.elicited;
      const { content, isError } = await client.call(`${prefix}__test_elicitation`, { message: 'Who are you?' });
      if (client.era === 'modern' && prefix === 'old') {
        // docs/gateway/README.md: it cannot be asked anything back.
        require(isError && client.elicited === before, content);
        return 'not asked, as documented';
      }
      require(!isError && client.elicited === before + 1 && content[0].text.includes('Ada'), content);
    });
  }
  await step('prompt, resource, completion', async () => {
    require((await client.prompt('new__test_simple_prompt')).messages.length === 1);
    require((await client.read('test://template/7/data')).contents[0].text.includes('7'));
    const ref = { type: 'ref/prompt', name: 'new__test_prompt_with_arguments' };
    require((await client.complete({ ref, argument: { name: 'arg1', value: 'pa' } })).completion.values.length === 3);
  });
  const path = `/bundles/${endpoint.bundleId}/entries/${endpoint.entries.spare}`;
  for (const isEnabled of [false, true])
    await step(`list_changed after an entry was ${isEnabled ? 'enabled' : 'disabled'}`, async () => {
      const before = client.changes;
      await stage.call('PATCH', path, { is_enabled: isEnabled });
      const since = performance.now();
      await until(PATIENCE_MS, 'No notification came', () => client.changes > before);
      const heard = soon(since);
      const tools = await client.toolsNow();
      require(tools.includes('spare__test_simple_text') === isEnabled, tools);
      return heard;
    });
  for (const [prefix, server] of [
    ['old', old],
    ['new', fresh],
  ])
    await step(`list_changed after a notification of a server (${prefix})`, async () => {
      await sleep(QUIET_MS);
      const before = client.changes;
      const since = performance.now();
      server.change('tools');
      await until(PATIENCE_MS, 'No notification came', () => client.changes > before);
      const heard = soon(since);
      const tools = await client.toolsNow();
      require(tools.includes(`${prefix}__test_added_${server.extra.tools}`), tools);
      return heard;
    });
  await step('close', () => client.close());
}

async function tryInspector(era, { url, token }) {
  process.stdout.write(`\nInspector, --protocol-era ${era}\n`);
  const inspect = async (...args) => {
    const all = ['--cli', url, '--transport', 'http', '--protocol-era', era, '--format', 'json', '--stored-auth-only'];
    all.push('--header', `Authorization: Bearer ${token}`, ...args);
    const bin = packages.find(INSPECTOR, 'clients/launcher/build/index.js');
    const home = join(stage.work, 'inspector');
    const env = { PATH: process.env.PATH, HOME: home, MCP_STORAGE_DIR: home };
    const child = spawn(packages.node, [bin, ...all], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
    const late = setTimeout(() => child.kill('SIGKILL'), INSPECTOR_MS);
    const [code] = await once(child, 'close');
    clearTimeout(late);
    if (code !== 0) throw new Error(`It ended with code ${code}: ${said.stderr} ${said.stdout}`);
    return JSON.parse(said.stdout).result;
  };
  await step('connect', async () => (await inspect('--method', 'initialize')).protocolVersion);
  await step('list', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    require(tools.some(({ name }) => name === 'old__test_simple_text'));
    const { prompts } = await inspect('--method', 'prompts/list');
    const { resources } = await inspect('--method', 'resources/list');
    return `${tools.length} tools, ${prompts.length} prompts, ${resources.length} resources`;
  });
  for (const prefix of ['old', 'new'])
    await step(`call (${prefix})`, async () => {
      const name = `${prefix}__test_x_mcp_header`;
      const { content } = await inspect('--method', 'tools/call', '--tool-name', name, '--tool-arg', 'region=Bern');
      require(content[0].text === 'The region is Bern.', content);
    });
  await step('prompt, resource', async () => {
    require(
      (await inspect('--method', 'prompts/get', '--prompt-name', 'old__test_simple_prompt')).messages.length === 1,
    );
    require((await inspect('--method', 'resources/read', '--uri', 'test://static-text')).contents.length === 1);
  });
}

/** @throws Error if it took too long */
function soon(since) {
  const ms = Math.round(performance.now() - since);
  if (ms > SOON_MS) throw new Error(`It took ${ms} ms.`);
  return `${ms} ms`;
}

function require(isSo, found) {
  if (!isSo) throw new Error(`Not what was expected: ${JSON.stringify(found)?.slice(0, 2_000)}`);
}
