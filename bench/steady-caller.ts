import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { send } from './send';

/** What to send, and how fast. */
export interface SteadyLoad {
  /** Requests go to each of these in turn. */
  urls: string[];
  path: string;
  token: string;
  perSecond: number;
  seconds: number;
}

/** How it went. */
export interface SteadyResult {
  /** Requests that were answered, by status. */
  statuses: Record<number, number>;
  sent: number;
}

/** Most requests of one caller that wait for an answer; beyond these it is late instead. */
const MOST_OPEN = 64;

/**
 * Sends GET requests evenly, from a thread of its own. autocannon sends those of a second all at once when it is given a
 * rate, which is another load: a burst.
 */
export async function sendSteadily(load: SteadyLoad): Promise<SteadyResult> {
  const worker = new Worker(__filename, { workerData: load });
  return new Promise<SteadyResult>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  }).finally(() => worker.terminate());
}

async function run({ urls, path, token, perSecond, seconds }: SteadyLoad): Promise<SteadyResult> {
  const agent = new Agent({ keepAlive: true });
  const statuses: Record<number, number> = {};
  const began = performance.now();
  const open = new Set<Promise<void>>();
  let sent = 0;
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - began) / 1_000) {
    const due = Math.floor(elapsed * perSecond);
    for (; sent < due && open.size < MOST_OPEN; sent++) {
      const url = urls[sent % urls.length] ?? '';
      const answered = send({ name: 'steady', method: 'GET', path, url, token }, agent).then((status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        open.delete(answered);
      });
      open.add(answered);
    }
    await sleep(1);
  }
  await Promise.all(open);
  agent.destroy();
  return { statuses, sent };
}

if (parentPort) void run(workerData as SteadyLoad).then((result) => parentPort?.postMessage(result));
