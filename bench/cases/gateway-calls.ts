import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CpuTime, cpuOf } from '../cpu';
import { addEndpoint, ask, loadMcp, type McpEndpoint, type McpTarget, times } from '../mcp';
import { type BenchCase, type BenchSettings, type Figure, load, median, startServer } from '../measure';
import { type Service, startService } from '../service';

const SERVERS = 3;
const TOOLS = 20;
const CLIENTS = 20;
/** Whose clients these are: one person can have 20 calls under way. */
const PEOPLE = 4;

/** A bundle as large as one may be. */
const MANY = { servers: 50, tools: 100, page: 500 };

const WARM_UP_S = 3;
/** How often clients connect in a round, to each bundle. */
const CONNECTS = 20;
/** A server that accepts connections and never answers is given up after two time-outs of ten seconds. */
const GIVEN_UP_MS = 60_000;

/**
 * What a bundle as an endpoint costs, in one run on the same cores as everything else: three servers of 20 tools each, called
 * directly and through the endpoint with an access token of a person; the list; a bundle of 5,000 tools; and connecting to
 * a bundle of which one server does not answer.
 */
export const gatewayCalls: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_gateway', 3981, {
    WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
    NODE_OPTIONS: `--require ${join(__dirname, '..', 'references', 'unlimited-calls.js')}`,
  });
  const reference = join(__dirname, '..', 'references', 'bare-mcp.js');
  const few = { SERVERS: String(SERVERS), TOOLS: String(TOOLS) };
  const servers = await startServer(reference, 3982, few, '/');
  const large = await startServer(reference, 3986, { TOOLS: String(MANY.tools) }, '/');
  const urls = Array.from({ length: SERVERS }, (_, n) => `http://127.0.0.1:${3982 + n}/mcp`);
  try {
    const before = await memoryBefore(service, settings);
    const endpoint = await addEndpoint(service, 'three', urls, PEOPLE);
    const direct: McpTarget = { url: urls[0] ?? '', tokens: [] };
    const figures = await calls(settings, service, direct, endpoint);
    figures.push(
      await strictly(settings, service, endpoint),
      await listing(settings, endpoint),
      ofOne('memory that this has added', memoryOf(service.pid) - before, 'MB', '≤ 60 MB'),
      ...(await manyTools(settings, service, large.url)),
      ofOne('and with 5,000 tools', memoryOf(service.pid) - before, 'MB'),
      ...(await connecting(settings, service, endpoint, urls)),
    );
    return figures;
  } finally {
    await Promise.all([servers.stop(), large.stop(), service.stop()]);
  }
};

/**
 * After other requests for as long as calls take, so that neither code which everything needs is counted, nor that V8 lets its
 * heap grow under any load before it collects what is old.
 */
async function memoryBefore(service: Service, { seconds, rounds }: BenchSettings): Promise<number> {
  const headers = { authorization: `Bearer ${service.token}` };
  await load({ name: 'bundles', url: `${service.url}/v1/bundles`, headers }, WARM_UP_S + rounds * seconds);
  return memoryOf(service.pid);
}

async function calls(
  settings: BenchSettings,
  service: Service,
  direct: McpTarget,
  endpoint: McpEndpoint,
): Promise<Figure[]> {
  const args = { arguments: { query: 'late deliveries', state: 'open', limit: 10 } };
  const targets = [
    { target: direct, params: { name: 'search_records_1', ...args }, p50: [] as number[], rates: [] as number[] },
    { target: endpoint, params: { name: await toolOf(endpoint), ...args }, p50: [] as number[], rates: [] as number[] },
  ];
  const costs: CpuTime[] = [];
  for (const { target, params } of targets) {
    await times(target, 'tools/call', params, WARM_UP_S);
    await loadMcp(target, 'tools/call', params, { clients: CLIENTS, seconds: WARM_UP_S });
  }
  for (let round = 0; round < settings.rounds; round++) {
    for (const { target, params, p50 } of targets)
      p50.push(median(await times(target, 'tools/call', params, settings.seconds)));
    for (const { target, params, rates } of targets) {
      const before = await cpuOf({ pid: service.pid, database: service.database });
      const { perSecond, requests } = await loadMcp(target, 'tools/call', params, {
        clients: CLIENTS,
        seconds: settings.seconds,
      });
      const after = await cpuOf({ pid: service.pid, database: service.database });
      rates.push(perSecond);
      if (target !== endpoint) continue;
      costs.push({
        service: (after.service - before.service) / requests,
        database: (after.database - before.database) / requests,
      });
    }
  }
  const [alone, through] = targets.map(({ p50 }) => p50) as [number[], number[]];
  const [plain, own] = targets.map(({ rates }) => rates) as [number[], number[]];
  const added = through.map((ms, round) => ms - (alone[round] ?? NaN));
  const share = own.map((rate, round) => rate / (plain[round] ?? NaN));
  return [
    ofRounds('a call directly, one client, p50', alone, 'ms'),
    ofRounds('a call through the endpoint, one client, p50', through, 'ms'),
    ofRounds('added by the endpoint, p50', added, 'ms', '≤ 3 ms'),
    ofRounds(`calls directly, ${CLIENTS} clients`, plain, 'calls/s'),
    {
      ...ofRounds(`calls through the endpoint, ${CLIENTS} clients`, own, 'calls/s', '≥ 500 /s'),
      ratio: { to: 'directly', value: median(share) },
    },
    ofRounds(
      'CPU of service and database per call',
      costs.map((cost) => cost.service + cost.database),
      'ms',
      '≤ 1.2 ms',
    ),
    ofRounds(
      'of this the database',
      costs.map(({ database }) => database),
      'ms',
    ),
  ];
}

/** Recorded before each call, against after it; in turn, since the machine may become slower. */
async function strictly(settings: BenchSettings, service: Service, endpoint: McpEndpoint): Promise<Figure> {
  const params = { name: await toolOf(endpoint), arguments: { query: 'late deliveries', state: 'open', limit: 10 } };
  const rates = { BUFFERED: [] as number[], STRICT: [] as number[] };
  const record = (mode: keyof typeof rates) =>
    service.database.query(`UPDATE bundle_endpoints SET record = $2, stamp = stamp + 1 WHERE bundle_id = $1`, [
      endpoint.bundleId,
      mode,
    ]);
  for (let round = 0; round < settings.rounds; round++) {
    for (const mode of ['BUFFERED', 'STRICT'] as const) {
      await record(mode);
      await loadMcp(endpoint, 'tools/call', params, { clients: CLIENTS, seconds: 1 });
      const { perSecond } = await loadMcp(endpoint, 'tools/call', params, {
        clients: CLIENTS,
        seconds: settings.seconds,
      });
      rates[mode].push(perSecond);
    }
  }
  await record('BUFFERED');
  const share = rates.STRICT.map((rate, round) => rate / (rates.BUFFERED[round] ?? NaN));
  return {
    ...ofRounds(`with STRICT, ${CLIENTS} clients`, rates.STRICT, 'calls/s', '≥ 0.6'),
    ratio: { to: 'with BUFFERED', value: median(share) },
  };
}

async function toolOf(endpoint: McpEndpoint): Promise<string> {
  const { tools } = await listOf(endpoint, {});
  const all = SERVERS * TOOLS;
  if (tools.length !== all) throw new Error(`The endpoint has ${tools.length} tools, not ${all}.`);
  const tool = tools.find(({ name }) => name.endsWith('__search_records_1'));
  if (!tool) throw new Error(`No tool has the expected name, but ${tools[0]?.name}.`);
  return tool.name;
}

async function listing({ rounds, seconds }: BenchSettings, endpoint: McpEndpoint): Promise<Figure> {
  await times(endpoint, 'tools/list', {}, WARM_UP_S);
  const taken: number[][] = [];
  for (let round = 0; round < rounds; round++) taken.push(await times(endpoint, 'tools/list', {}, seconds));
  return ofP95(`tools/list of ${SERVERS * TOOLS} tools, one client, p95`, taken, '≤ 15 ms');
}

async function manyTools({ rounds, seconds }: BenchSettings, service: Service, url: string): Promise<Figure[]> {
  const urls = Array.from({ length: MANY.servers }, (_, n) => `${url}/${n + 1}/mcp`);
  const endpoint = await addEndpoint(service, 'many', urls);
  const first = performance.now();
  const all = MANY.servers * MANY.tools;
  await until(`${all} tools are listed`, async () => (await cursorsOf(endpoint)).length === all / MANY.page);
  const listed = performance.now() - first;
  const cursors = await cursorsOf(endpoint);
  const taken: number[][] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let round = 0; round <= rounds; round++) {
    const pages: number[] = [];
    for (const end = performance.now() + seconds * 1_000; performance.now() < end;)
      for (const cursor of cursors) pages.push((await ask(endpoint, 'tools/list', cursor, agent)).ms);
    // The first round is the warm-up.
    if (round > 0) taken.push(pages);
  }
  agent.destroy();
  return [
    ofP95(`a page of ${MANY.page} of 5,000 tools of ${MANY.servers} servers, p95`, taken, '≤ 30 ms'),
    ofOne('until all 5,000 were listed for the first time', listed, 'ms'),
  ];
}

/** @returns the parameters of each page of the tools, while there are as many as there should be */
async function cursorsOf(endpoint: McpEndpoint): Promise<Record<string, unknown>[]> {
  const cursors: Record<string, unknown>[] = [];
  for (let params: Record<string, unknown> | undefined = {}; params;) {
    const { tools, nextCursor } = await listOf(endpoint, params);
    if (tools.length === MANY.page) cursors.push(params);
    params = nextCursor === undefined ? undefined : { cursor: nextCursor };
  }
  return cursors;
}

/** Each client is the first after a change of the bundle, so that nothing is at hand. */
async function connecting(
  { rounds }: BenchSettings,
  service: Service,
  alive: McpEndpoint,
  urls: readonly string[],
): Promise<Figure[]> {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  try {
    const dead = await addEndpoint(service, 'dead', [...urls, `http://127.0.0.1:${port}/mcp`]);
    const began = performance.now();
    await connect(dead);
    const first = performance.now() - began;
    await until('the server was given up', async () => {
      const { rows } = await service.database.query(
        `SELECT FROM upstreams WHERE listed_at IS NULL AND list_error IS NULL`,
      );
      return rows.length === 0;
    });
    const taken = { alive: [] as number[], dead: [] as number[] };
    for (let turn = 0; turn < rounds * CONNECTS; turn++) {
      taken.alive.push(await connectAfterChange(service, alive));
      taken.dead.push(await connectAfterChange(service, dead));
    }
    const [without, beside] = [median(taken.alive), median(taken.dead)];
    return [
      { ...ofRounds('connecting to a changed bundle, p50', taken.alive, 'ms'), median: without },
      {
        ...ofRounds('with one more server that never answers, p50', taken.dead, 'ms', '≤ 1.2'),
        ratio: { to: 'without', value: beside / without },
      },
      ofOne('before its lists were first asked for', first, 'ms'),
    ];
  } finally {
    silent.close();
  }
}

async function connectAfterChange(service: Service, endpoint: McpEndpoint): Promise<number> {
  await service.database.query(`UPDATE bundle_endpoints SET stamp = stamp + 1 WHERE bundle_id = $1`, [
    endpoint.bundleId,
  ]);
  const began = performance.now();
  await connect(endpoint);
  return performance.now() - began;
}

/** What a client does first, on a connection of its own. */
async function connect(endpoint: McpEndpoint): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await ask(endpoint, 'server/discover', {}, agent);
    await ask(endpoint, 'tools/list', {}, agent);
  } finally {
    agent.destroy();
  }
}

interface ToolsPage {
  tools: { name: string }[];
  nextCursor?: string;
}

async function listOf(endpoint: McpEndpoint, params: Record<string, unknown>): Promise<ToolsPage> {
  const agent = new Agent();
  const { text } = await ask(endpoint, 'tools/list', params, agent).finally(() => agent.destroy());
  return (JSON.parse(text) as { result: ToolsPage }).result;
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + GIVEN_UP_MS;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${GIVEN_UP_MS / 1_000} s.`);
    await sleep(100);
  }
}

function ofRounds(name: string, rounds: number[], unit: string, goal?: string): Figure {
  return { name, median: median(rounds), unit, rounds, goal };
}

function ofOne(name: string, value: number, unit: string, goal?: string): Figure {
  return ofRounds(name, [value], unit, goal);
}

/** Of all rounds together, because a single one may have few. */
function ofP95(name: string, rounds: readonly number[][], goal: string): Figure {
  return { name, median: p95(rounds.flat()), unit: 'ms', rounds: rounds.map(p95), goal };
}

function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? NaN;
}

/** @returns resident memory in MB, as Linux counts it */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
