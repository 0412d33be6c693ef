import { openSync, readSync } from 'node:fs';
import { createServer } from 'node:http';

/*
 * Loaded into the service under test (`--require`). Between GET /start and GET /stop it measures how much CPU time each
 * turn of the event loop takes: during a turn, nobody else is served. CPU time and not wall time, so that other
 * processes do not affect it; that of the main thread, because `process.cpuUsage()` adds what the JIT compiler, the
 * garbage collector's helpers and the thread pool do at the same time on the other core.
 */

/** The first number is the nanoseconds that the main thread was on a CPU. Linux updates it every 4 ms. */
const schedstat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const text = Buffer.alloc(100);

let isWatching = false;
let worst = 0;
let last = 0;

/** @returns the CPU time of the main thread, in ms */
function used(): number {
  readSync(schedstat, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, text.indexOf(' '))) / 1_000_000;
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
