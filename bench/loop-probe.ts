import { createServer } from 'node:http';

/*
 * Loaded into the service under test (`--require`). Between GET /start and GET /stop it looks at every turn of the event
 * loop how much CPU time has passed since the turn before: what one turn used, nobody else was served. CPU and not wall
 * time, so that others on the machine do not count. That of the thread pool (zlib, the garbage collector) does.
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
