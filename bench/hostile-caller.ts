import { Agent } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type Call, send } from './send';

/** In a worker thread: sends the calls one after the other, repeatedly, until it receives a message. */
async function hammer(calls: Call[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  let count = 0;
  parentPort?.once('message', () => (isOver = true));
  while (!isOver) {
    for (const call of calls) {
      if (isOver) break;
      await send({ ...call, body: call.body && Buffer.from(call.body) }, agent);
      count++;
    }
  }
  agent.destroy();
  parentPort?.postMessage(count);
}

if (parentPort) void hammer(workerData as Call[]);
