import { createServer } from 'node:http';

/*
 * Loaded into the service under test (`--require`). Between GET /start and GET /stop it measures how much CPU time each
 * turn of the event loop takes: during a turn, nobody else is served. CPU time and not wall time, so that other
 * processes do not affect it. It includes the thread pool (zlib, the garbage collector).
 */

let isWatching = false;
let worst = 0;
let last = 0;

function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function turn(): void {
  const now = used();
  worst = Math.max(worst, now - last);
  last = now;
  if (isWatching) setImmediate(turn);
}

createServer((request, response) => {
  if (request.url === '/start') {
    worst = 0;
    isWatching = true;
    setImmediate(() => {
      last = used();
      turn();
    });
    response.end();
  } else {
    isWatching = false;
    response.end(JSON.stringify({ worst }));
  }
})
  .listen(Number(process.env.PROBE_PORT), '127.0.0.1')
  .unref();
