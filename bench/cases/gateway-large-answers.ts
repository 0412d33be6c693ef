import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type BenchCase, type BenchSettings, type Figure, median, startServer } from '../measure';
import { addEndpoint, ask, type McpEndpoint, requestOf } from '../mcp';
import { type Service, startService } from '../service';

const PROBE_PORT = 3984;
/** 9 MB of empty objects: the densest answer within the limit of 10 MiB. */
const OBJECTS = 3_000_000;
const AT_ONCE = 64;
/** A server takes 50 calls of a bundle, and each of the people has eight under way. */
const BUNDLES = 2;
const PEOPLE = 4;
const WARM_UPS = 5;

/**
 * What answers of 9 MB with 3,000,000 empty objects cost the service: the longest turn of the event loop and the memory, for one
 * at a time and for 64 at once, half of them as JSON and half as an event.
 */
export const gatewayLargeAnswers: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_large_answers', 3981, {
    LOG_LEVEL: 'warn',
    WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
    NODE_OPTIONS: `--require ${join(__dirname, '..', 'loop-probe.js')}`,
    PROBE_PORT: String(PROBE_PORT),
  });
  const reference = join(__dirname, '..', 'references', 'bare-mcp.js');
  const server = await startServer(reference, 3982, { OBJECTS: String(OBJECTS) }, '/');
  try {
    const endpoints: McpEndpoint[] = [];
    for (let n = 0; n < BUNDLES; n++)
      endpoints.push(await addEndpoint(service, `large${n}`, [`${server.url}/mcp`], PEOPLE));
    return await measured(settings, service, endpoints);
  } finally {
    await Promise.all([server.stop(), service.stop()]);
  }
};

async function measured({ rounds }: BenchSettings, service: Service, endpoints: McpEndpoint[]): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const targets: { endpoint: McpEndpoint; name: string }[] = [];
  for (const endpoint of endpoints) for (const name of await toolsOf(endpoint, agent)) targets.push({ endpoint, name });
  const nth = (n: number) => targets[n % targets.length] as (typeof targets)[number];
  for (let n = 0; n < WARM_UPS * targets.length; n++) await call(nth(n), 0, agent);
  const before = memoryOf(service.pid, 'VmRSS');
  const single: number[] = [];
  for (let round = 0; round < rounds; round++)
    for (const target of targets) single.push(await worstTurn(() => call(target, 0, agent)));
  const alone = memoryOf(service.pid, 'VmHWM');
  const together: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const statuses: number[] = [];
    together.push(
      await worstTurn(async () => {
        const calls = Array.from({ length: AT_ONCE }, (_, n) => call(nth(n), Math.floor(n / targets.length), agent));
        statuses.push(...(await Promise.all(calls)));
      }),
    );
    if (statuses.some((status) => status !== 200 && status !== 503)) throw new Error(`Answered ${statuses.join()}.`);
    answered.push(statuses.filter((status) => status === 200).length);
  }
  agent.destroy();
  const most = memoryOf(service.pid, 'VmHWM');
  const figure = (name: string, values: number[], unit: string, goal?: string): Figure => ({
    name,
    median: goal === undefined ? median(values) : Math.max(...values),
    unit,
    rounds: values,
    goal,
  });
  return [
    figure('an answer of 9 MB with 3,000,000 objects', single, 'ms worst turn', '≤ 50'),
    figure(`${AT_ONCE} of them at once`, together, 'ms worst turn', '≤ 50'),
    figure('of these passed; the others were refused with 503', answered, 'answers'),
    figure('memory before', [before], 'MB'),
    figure('the most memory with one after the other', [alone], 'MB'),
    figure(`the most memory with ${AT_ONCE} at once`, [most], 'MB', '≤ 512 MB'),
  ];
}

/** @returns the names of a tool that answers with JSON, and of one that answers with an event */
async function toolsOf(endpoint: McpEndpoint, agent: Agent): Promise<string[]> {
  const { text } = await ask(endpoint, 'tools/list', {}, agent);
  const { tools } = (JSON.parse(text) as { result: { tools: { name: string }[] } }).result;
  return [1, 2].map((n) => tools.find(({ name }) => name.endsWith(`search_records_${n}`))?.name ?? '');
}

/** Calls a tool as one of the people. @returns the status, when all of the answer was read */
function call(
  { endpoint: { url, tokens }, name }: { endpoint: McpEndpoint; name: string },
  person: number,
  agent: Agent,
): Promise<number> {
  const { headers, body } = requestOf('tools/call', { name, arguments: {} }, tokens[person % tokens.length]);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let length = 0;
      let start = '';
      response.on('data', (chunk: Buffer) => {
        if (length < 1_000) start += chunk.toString('latin1', 0, 1_000);
        length += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, headers: answered } = response;
        // It has become a stream, whose status was sent before.
        if (start.includes('"code":503')) resolve(503);
        else if (statusCode === 200 && length < 3 * OBJECTS) reject(new Error(`Answered ${start}`));
        else if (statusCode === 503 && answered['retry-after'] === undefined) reject(new Error('No Retry-After.'));
        else resolve(statusCode);
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function worstTurn(work: () => Promise<unknown>): Promise<number> {
  const probe = `http://127.0.0.1:${PROBE_PORT}`;
  await fetch(`${probe}/start`);
  await work();
  return ((await (await fetch(`${probe}/stop`)).json()) as { worst: number }).worst;
}

/** @returns MB, as Linux counts them for the process */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
}
