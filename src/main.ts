import { start } from './start';

// Nothing here but the process: what it is made of is in start.ts, so that tests can start one too.
void start(process.env).then(
  ({ stop }) => {
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // A second Ctrl-C is for those who cannot wait.
        if (stopping) process.exit(1);
        stopping = true;
        void stop().then(
          () => process.exit(0),
          () => process.exit(1),
        );
      });
    }
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
