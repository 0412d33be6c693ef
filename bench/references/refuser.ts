import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { parentPort, Worker } from 'node:worker_threads';

/** The shortest answer that a client accepts. */
const ANSWER = 'HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n';

/**
 * Answers every request with 429, in a thread of its own: what it costs to be called at all. It does not parse: each chunk
 * that arrives is taken for a request, which holds for a client that waits for the answer.
 */
export async function startRefuser(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const worker = new Worker(__filename);
  const [port] = (await once(worker, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() };
}

if (parentPort) {
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('data', () => socket.write(ANSWER));
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}
