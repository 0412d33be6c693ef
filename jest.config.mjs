import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from './.scripts/build-console.mjs';
import { build } from './.scripts/build.mjs';

const swc = JSON.parse(readFileSync(join(import.meta.dirname, '.swcrc'), 'utf8'));

const shared = {
  rootDir: import.meta.dirname,
  runtime: '<rootDir>/test/runner/shared-runtime.mjs',
  testEnvironment: '<rootDir>/test/runner/shared-environment.mjs',
  moduleFileExtensions: ['ts', 'js', 'json'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

/** `jest.useFakeTimers()` stops the clock for everything in the process: suites that call it have a context of their own. */
const FAKE_TIMERS = '.timers.spec.ts';

/** What suites that run beside each other wait for may take longer (test/support/eventually.ts). */
const beside = { globals: { suitesShareTheMachine: true } };

const onPostgres = {
  ...shared,
  globalSetup: '<rootDir>/dist/test/support/postgres.setup.js',
  globalTeardown: '<rootDir>/dist/test/support/postgres.teardown.js',
};

export default async () => {
  // What the suites share is required from dist/.
  await build({ tests: true });
  // Here and not in its suites, which run beside each other.
  await buildConsole();
  return {
    projects: [
      // `npm test`.
      {
        ...shared,
        ...beside,
        displayName: 'unit',
        testMatch: ['<rootDir>/{src,bench}/**/*.spec.ts', `!**/*${FAKE_TIMERS}`],
      },
      {
        ...shared,
        ...beside,
        displayName: 'timers',
        runtime: '<rootDir>/test/runner/isolated-runtime.mjs',
        testEnvironment: 'jest-environment-node',
        // The console is for browsers, so none of it is in dist/.
        testMatch: [`<rootDir>/src/**/*${FAKE_TIMERS}`, '<rootDir>/console/src/**/*.spec.ts'],
      },
      { ...onPostgres, ...beside, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'] },
      // `npm run test:slow`: what few changes touch (commands, keys, migrations, attacks, races, the habits of identity
      // providers), properties over many random cases, plans over many rows, real data.
      { ...onPostgres, ...beside, displayName: 'slow', testMatch: ['<rootDir>/test/**/*.slow-spec.ts'] },
      // `npm run test:console`: the console in a real browser, one window at a time.
      { ...onPostgres, displayName: 'console', testMatch: ['<rootDir>/test/**/*.console-spec.ts'] },
      // And after these, one at a time (--runInBand): what measures seconds, stops servers or kills processes.
      {
        ...onPostgres,
        displayName: 'alone',
        testMatch: ['<rootDir>/test/**/*.alone-spec.ts', '<rootDir>/src/**/*.alone-spec.ts'],
      },
    ],
    // Only a test that hangs takes so long; what has to be fast says so itself (test/support/eventually.ts).
    testTimeout: 300_000,
    // A suite mostly waits for its database, so two share two cores well; more than six would run out of connections.
    // V8 collects closed applications late; a worker that is replaced has to load and warm up the program again.
    workerIdleMemoryLimit: '1200MB',
    maxWorkers: Math.min(Math.max(availableParallelism() - 1, 2), 6),
    reporters: ['<rootDir>/test/support/short-failures.reporter.mjs', 'summary'],
  };
};
