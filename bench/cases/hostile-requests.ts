import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { PATCH_URN, quantile, USER_URN } from '../directory';
import { type Hostile, hostileRequests } from '../hostile';
import { type Call, send } from '../send';
import { type BenchCase, type BenchSettings, type Figure, median } from '../measure';
import { type Service, startService } from '../service';

const PROBE_PORT = 3982;
const CALLERS = 4;
/** How often each is sent; the first time includes JIT compilation. */
const TIMES = 3;
const HEALTH_PAUSE_MS = 5;

/**
 * The longest turn of the event loop for each request that is meant to stall it, and the latency of `/healthz` beside
 * four callers that send nothing else.
 */
export const hostileRequestsCase: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_hostile', 3981, {
    LOG_LEVEL: 'warn',
    RUN: 'api',
    NODE_OPTIONS: `--require ${join(__dirname, '..', 'loop-probe.js')}`,
    PROBE_PORT: String(PROBE_PORT),
  });
  try {
    const { calls, reset } = await prepare(service);
    const figures: Figure[] = [];
    for (const call of calls) figures.push(await worstTurn(call, reset));
    figures.push(...(await besides(service, calls, settings)));
    return figures;
  } finally {
    await service.stop();
  }
};

/** Creates the resources that the requests are sent to. */
async function prepare(service: Service): Promise<{ calls: Call[]; reset: () => Promise<void> }> {
  const create = async (method: string, path: string, body: object) =>
    (await service.call(method, path, body)).body as { id: string; token: string };
  const { id: orgId } = await create('POST', '/v1/organisations', { name: 'Hostile' });
  const { token } = await create('POST', `/v1/organisations/${orgId}/scim/tokens`, { name: 'Hostile' });
  const { id: bundleId } = await create('POST', '/v1/bundles', { name: 'Hostile' });
  await service.database.query(
    `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('A', 'a', '', 'box', 1)`,
  );
  const server = { name: 'com.example/a', description: 'b', version: '1.0.0' };
  const { id: listingId } = await create('POST', '/v1/mcp/listings', { category: 'a', server });
  const scim = async (path: string, body: object) => {
    const response = await fetch(`${service.url}/v1/organisations/${orgId}/scim/v2${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id: string };
  };
  const { id: userId } = await scim('/Users', { schemas: [USER_URN], userName: 'hostile@example.com' });
  const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Hostile' };
  const { id: groupId } = await scim('/Groups', group);
  const emails = Array.from({ length: 1_000 }, (_, n) => ({ value: `a${n}@example.com`, type: `t${n}` }));
  /** Reverts the changes of some requests. */
  const reset = async () => {
    const keptIds = [orgId, userId, groupId];
    await service.database.query(`DELETE FROM scim_users WHERE org_id = $1 AND id <> $2 AND id <> $3`, keptIds);
    await service.database.query(`DELETE FROM scim_groups WHERE org_id = $1 AND id <> $2 AND id <> $3`, keptIds);
    await fetch(`${service.url}/v1/organisations/${orgId}/scim/v2/Users/${userId}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      body: JSON.stringify({ schemas: [PATCH_URN], Operations: [{ op: 'replace', path: 'emails', value: emails }] }),
    });
  };
  const requests: Hostile[] = hostileRequests({ orgId, bundleId, listingId, userId, groupId });
  const calls = requests.map((one) => ({ ...one, url: service.url, token: one.isScim ? token : service.token }));
  return { calls, reset };
}

async function worstTurn(call: Call, reset: () => Promise<void>): Promise<Figure> {
  const probe = `http://127.0.0.1:${PROBE_PORT}`;
  const rounds: number[] = [];
  let status = 0;
  for (let time = 0; time < TIMES; time++) {
    await reset();
    const agent = new Agent();
    await fetch(`${probe}/start`);
    status = await send(call, agent);
    const { worst } = (await (await fetch(`${probe}/stop`)).json()) as { worst: number };
    rounds.push(worst);
    agent.destroy();
  }
  return { name: `${call.name} (${status})`, median: Math.max(...rounds), unit: 'ms worst', rounds, goal: '≤ 50' };
}

/** @returns p50 and p99 of `/healthz` alone and beside the callers */
async function besides(service: Service, calls: Call[], { rounds, seconds }: BenchSettings): Promise<Figure[]> {
  const quiet: number[][] = [];
  const beside: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    quiet.push(await healthTimes(service.url, seconds));
    const workers = Array.from(
      { length: CALLERS },
      (_, n) =>
        new Worker(join(__dirname, '..', 'hostile-caller.js'), {
          // Each begins at a different request.
          workerData: [...calls.slice(n * 15), ...calls.slice(0, n * 15)],
        }),
    );
    await sleep(500);
    beside.push(await healthTimes(service.url, seconds));
    await Promise.all(
      workers.map(async (worker) => {
        worker.postMessage('over');
        await once(worker, 'message');
        await worker.terminate();
      }),
    );
  }
  return [0.5, 0.99].flatMap((part) => {
    const [alone, loaded] = [quiet, beside].map((latencies) => latencies.map((times) => quantile(times, part)));
    const name = `/healthz p${part * 100}`;
    const ratio = { to: 'quiet', value: median(loaded ?? []) / median(alone ?? []) };
    return [
      { name: `${name}, quiet`, median: median(alone ?? []), unit: 'ms', rounds: alone ?? [] },
      {
        name: `${name}, beside ${CALLERS} hostile callers`,
        median: median(loaded ?? []),
        unit: 'ms',
        rounds: loaded ?? [],
        ratio,
        goal: part === 0.99 ? '≤ 50 ms' : undefined,
      },
    ];
  });
}

async function healthTimes(url: string, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const call: Call = { name: 'health', method: 'GET', path: '/healthz', url, token: 'none' };
  const end = performance.now() + seconds * 1_000;
  const times: number[] = [];
  while (performance.now() < end) {
    const started = performance.now();
    await send(call, agent);
    times.push(performance.now() - started);
    await sleep(HEALTH_PAUSE_MS);
  }
  agent.destroy();
  return times;
}
