import { Agent, request, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCatalogue } from '../catalogue';
import { quantile } from '../directory';
import { addEndpoint, type McpEndpoint, requestOf } from '../mcp';
import { type BenchCase, type BenchSettings, type Figure, median, startServer } from '../measure';
import { send } from '../send';
import { type Service, startService, tokenFor } from '../service';

/** What the quiet person calls; reads the database each time. */
const BUNDLES = '/v1/bundles';
const PAUSE_MS = 25;
/** A refused request costs next to nothing; its sender is no attacker who ignores refusals. */
const AFTER_REFUSAL_MS = 100;
/** Of each state by turns; short, so that what else the machine does affects all states alike. */
const TURN_S = 2;
const WARM_UP_S = 3;
/** Of 1.8 kB each, in one list of 1.85 MB. */
const TOOLS = { count: 1_000, bytes: 1_500 };
const READERS = 8;

/** Does one thing to the service, over and over. */
type Neighbour = () => Promise<void>;

/**
 * The p95 of one person beside another who does what costs most: compiling a bundle of 1,000 long tools, searching for a letter in
 * 31,000 listings, and reading a list of 1.85 MB on eight connections; each as fast as the limits let them.
 */
export const costlyNeighbours: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_costly', 3996, { WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' });
  const server = await startServer(
    join(__dirname, '..', 'references', 'bare-mcp.js'),
    3997,
    { TOOLS: String(TOOLS.count), DESCRIPTION: String(TOOLS.bytes) },
    '/',
  );
  try {
    await loadCatalogue(service.database, 1);
    const endpoint = await addEndpoint(service, 'long', [`${server.url}/mcp`]);
    return await measured(settings, service, endpoint);
  } finally {
    await Promise.all([server.stop(), service.stop()]);
  }
};

async function measured(settings: BenchSettings, service: Service, endpoint: McpEndpoint): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const loud = { url: service.url, token: service.token };
  const quiet = { url: service.url, token: await tokenFor(service.databaseUrl, 'quiet') };
  const compile = `/v1/bundles/${endpoint.bundleId}/compile`;
  const repeated = (method: string, path: string): Neighbour => {
    return async () => {
      const status = await send({ name: path, method, path, ...loud }, agent);
      if (status === 429 || status === 503) await sleep(AFTER_REFUSAL_MS);
      else if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
    };
  };
  const states: Record<string, readonly Neighbour[]> = {
    'p95 of one person alone': [],
    'beside one who compiles 1,000 long tools': [repeated('POST', compile)],
    'beside one who searches for a letter': [repeated('GET', '/v1/mcp/listings?search=a&limit=100')],
    [`beside ${READERS} connections that read 1.85 MB of tools`]: Array.from({ length: READERS }, () =>
      reader(endpoint),
    ),
  };
  const taken = new Map<string, number[]>();
  await times(quiet, WARM_UP_S);
  for (const neighbours of Object.values(states)) for (const act of neighbours.slice(0, 1)) await act();
  for (let round = 0; round < settings.rounds; round++) {
    for (const [name, neighbours] of Object.entries(states)) {
      const over = new AbortController();
      const others = neighbours.map((act) => until(over.signal, act));
      const p95 = quantile(await times(quiet, TURN_S), 0.95);
      over.abort();
      await Promise.all(others);
      taken.set(name, [...(taken.get(name) ?? []), p95]);
    }
  }
  agent.destroy();
  const [alone = []] = [...taken.values()];
  return [...taken].map(([name, rounds]): Figure => {
    const figure = { name, median: median(rounds), unit: 'ms', rounds };
    if (rounds === alone) return figure;
    const ratios = rounds.map((p95, round) => p95 / (alone[round] ?? NaN));
    return { ...figure, ratio: { to: 'alone', value: median(ratios) }, goal: '≤ 2' };
  });
}

function reader(endpoint: McpEndpoint): Neighbour {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { headers, body } = requestOf('tools/list', {}, endpoint.tokens[0]);
  return async () => {
    const status = await drained(endpoint.url, { agent, headers, method: 'POST' }, body);
    if (status !== 200) await sleep(AFTER_REFUSAL_MS);
  };
}

/** Reads an answer without looking at it, as that would hold up the other person in this process. @returns the status */
function drained(url: string, options: RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.once('end', () => resolve(response.statusCode ?? 0)).once('error', reject);
      response.resume();
    });
    sent.once('error', reject).end(body);
  });
}

async function until(over: AbortSignal, act: Neighbour): Promise<void> {
  while (!over.aborted) await act();
}

/** One request at a time. @returns milliseconds @throws Error if one is refused */
async function times({ url, token }: { url: string; token: string }, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1_000;
  const all: number[] = [];
  while (performance.now() < end) {
    const began = performance.now();
    const status = await send({ name: 'quiet', method: 'GET', path: BUNDLES, url, token }, agent);
    all.push(performance.now() - began);
    if (status !== 200) throw new Error(`The quiet person was answered ${status}.`);
    await sleep(PAUSE_MS);
  }
  agent.destroy();
  return all;
}
