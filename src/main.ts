import { setFlagsFromString } from 'node:v8';
import { withLocalDefaults } from './local-defaults';
import { start } from './start';

// Only process handling; the service itself is in start.ts, so that tests can start one too.

// V8 creates objects in the heap of those that live long where most of the first ones did, such as while the service starts.
// Those of requests then stay until that heap is collected, with all that they refer to: 9 kB for each request.
setFlagsFromString('--no-allocation-site-pretenuring');
// Garbage may be half as much as what lives before it is collected. V8 would let it grow to several times that, and containers have limits.
setFlagsFromString('--heap-growing-percent=50');

/** npm forwards a Ctrl-C to us even though the terminal has already sent it. */
const ONE_KEYPRESS_MS = 2_000;

/** Set by `npm start` for a trial run. */
const LOCAL_FLAG = '--local';

const stopRequest = new AbortController();
const hurried = new AbortController();

async function main(): Promise<void> {
  const variables = process.argv.includes(LOCAL_FLAG) ? withLocalDefaults(process.env) : process.env;
  const running = await start(variables, { signal: stopRequest.signal });
  hurried.signal.addEventListener('abort', running.hurry);
  try {
    await running.ended;
  } finally {
    await running.stop();
  }
}

let stopRequestedAt = 0;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (!stopRequest.signal.aborted) {
      stopRequestedAt = Date.now();
      stopRequest.abort();
    } else if (Date.now() - stopRequestedAt > ONE_KEYPRESS_MS) {
      hurried.abort();
    }
  });
}

// What is written there is for people; without a listener, a full disk under it would end the process, too.
process.stderr.on('error', () => undefined);

void main().catch((error: unknown) => {
  if (stopRequest.signal.aborted && error === stopRequest.signal.reason) process.exit(0);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
