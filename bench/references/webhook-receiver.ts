import { createServer, type IncomingMessage } from 'node:http';

/**
 * A receiver in a process of its own. `POST /<anything>` is answered after 50 ms, `POST /hang…` never, `POST /once…`
 * only the first time. `GET /` reports what arrived since the last `DELETE /`: deliveries, distinct ones among them,
 * and their latency from the event. `/once…` and `/ignored…`, which is answered immediately, do not count.
 */
const ANSWER_AFTER_MS = 50;

let received = 0;
let seen = new Set<string>();
let latencies: number[] = [];
const hangsFromNowOn = new Set<string>();

function percentile(sorted: readonly number[], p: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * p) / 100) - 1)] ?? null;
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
  if (request.method === 'GET') {
    const sorted = [...latencies].sort((a, b) => a - b);
    response.end(
      JSON.stringify({ received, distinct: seen.size, p50: percentile(sorted, 50), p95: percentile(sorted, 95) }),
    );
  } else if (request.method === 'DELETE') {
    received = 0;
    seen = new Set();
    latencies = [];
    response.end();
  } else if (request.url?.startsWith('/hang') || hangsFromNowOn.has(request.url ?? '')) {
    request.resume();
  } else if (request.url?.startsWith('/ignored')) {
    request.resume();
    response.writeHead(204).end();
  } else if (request.url?.startsWith('/once')) {
    hangsFromNowOn.add(request.url);
    request.resume();
    response.writeHead(204).end();
  } else {
    void note(request).then(() => setTimeout(() => response.writeHead(204).end(), ANSWER_AFTER_MS));
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
