import { createServer, type IncomingMessage } from 'node:http';

/**
 * A receiver in a process of its own. `POST /<anything>` is answered after 50 ms, `POST /hang…` never, `POST /once…`
 * only the first time. `GET /` reports what arrived since the last `DELETE /`: deliveries, distinct ones among them,
 * and their latency from the event. `/once…` and `/ignored…`, which is answered immediately, do not count. `/traced…` is
 * answered immediately, too; `GET /traced` says which event arrived when.
 */
const ANSWER_AFTER_MS = 50;

let received = 0;
let seen = new Set<string>();
let latencies: number[] = [];
let arrivals: Arrival[] = [];
const hangsFromNowOn = new Set<string>();

/** When an event arrived, in epoch milliseconds with a fraction, and which bundle it is about. */
export interface Arrival {
  eventId: string;
  bundleId: string;
  at: number;
}

function percentile(sorted: readonly number[], p: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * p) / 100) - 1)] ?? null;
}

async function trace(request: IncomingMessage): Promise<void> {
  const at = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bundleId = /"bundle_id": ?"([^"]+)"/.exec(Buffer.concat(chunks).toString('utf8'))?.[1] ?? '';
  arrivals.push({ eventId: String(request.headers['webhook-id']), bundleId, at });
}

async function note(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received += 1;
  seen.add(`${request.url} ${String(request.headers['webhook-id'])}`);
  // The time of the event is near the beginning; parsing the whole body would take CPU time from the service under
  // test.
  const timestamp = /"timestamp":"([^"]+)"/.exec(Buffer.concat(chunks).toString('utf8'))?.[1];
  if (timestamp !== undefined) latencies.push(Date.now() - Date.parse(timestamp));
}

createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/traced') {
    response.end(JSON.stringify(arrivals));
  } else if (request.method === 'GET') {
    const sorted = [...latencies].sort((a, b) => a - b);
    response.end(
      JSON.stringify({ received, distinct: seen.size, p50: percentile(sorted, 50), p95: percentile(sorted, 95) }),
    );
  } else if (request.method === 'DELETE') {
    received = 0;
    seen = new Set();
    latencies = [];
    arrivals = [];
    response.end();
  } else if (request.url?.startsWith('/hang') || hangsFromNowOn.has(request.url ?? '')) {
    request.resume();
  } else if (request.url?.startsWith('/ignored')) {
    request.resume();
    response.writeHead(204).end();
  } else if (request.url?.startsWith('/traced')) {
    void trace(request).then(() => response.writeHead(204).end());
  } else if (request.url?.startsWith('/once')) {
    hangsFromNowOn.add(request.url);
    request.resume();
    response.writeHead(204).end();
  } else {
    void note(request).then(() => setTimeout(() => response.writeHead(204).end(), ANSWER_AFTER_MS));
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
