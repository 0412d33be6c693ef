import { withLocalDefaults } from './local-defaults';
import { start } from './start';

// Nothing here but the process: what it is made of is in start.ts, so that tests can start one too.

/** npm hands a Ctrl-C on to us although the terminal has sent it already. */
const ONE_KEYPRESS_MS = 2_000;

/** How `npm start` says that it is for trying things out. */
const LOCAL_FLAG = '--local';

const asked = new AbortController();
const hurried = new AbortController();

async function main(): Promise<void> {
  const variables = process.argv.includes(LOCAL_FLAG) ? withLocalDefaults(process.env) : process.env;
  const running = await start(variables, { signal: asked.signal });
  hurried.signal.addEventListener('abort', running.hurry);
  try {
    await running.ended;
  } finally {
    await running.stop();
  }
}

let askedAt = 0;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (!asked.signal.aborted) {
      askedAt = Date.now();
      asked.abort();
    } else if (Date.now() - askedAt > ONE_KEYPRESS_MS) {
      hurried.abort();
    }
  });
}

void main().catch((error: unknown) => {
  if (asked.signal.aborted && error === asked.signal.reason) process.exit(0);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
