import { availableParallelism } from 'node:os';

// Nest 12 and jose ship ES modules only, and jest can require() those only from Node 24.9 on: compile them down here.
const esModules = ['@nestjs', 'jose', 'oidc-provider', 'openid-client', 'oauth4webapi'].join('|');

const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  moduleFileExtensions: ['ts', 'js', 'json'],
  transformIgnorePatterns: [`/node_modules/(?!(${esModules})/)`],
  transform: {
    '^.+\\.ts$': 'ts-jest',
    [`/node_modules/(${esModules})/.+\\.js$`]: [
      '@swc/jest',
      { jsc: { target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
};

/** What suites that run beside each other wait for may take longer (test/support/eventually.ts). */
const beside = { globals: { suitesShareTheMachine: true } };

const onPostgres = {
  ...shared,
  globalSetup: '<rootDir>/test/support/postgres.setup.ts',
  globalTeardown: '<rootDir>/test/support/postgres.teardown.ts',
};

export default {
  projects: [
    // `npm test`.
    { ...shared, ...beside, displayName: 'unit', testMatch: ['<rootDir>/{src,bench}/**/*.spec.ts'] },
    { ...onPostgres, ...beside, displayName: 'e2e', testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'] },
    // `npm run test:slow`: what few changes touch (commands, keys, migrations, attacks, races, the habits of identity
    // providers), properties over many random cases, plans over many rows, real data.
    { ...onPostgres, ...beside, displayName: 'slow', testMatch: ['<rootDir>/test/**/*.slow-spec.ts'] },
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
  maxWorkers: Math.min(Math.max(availableParallelism() - 1, 2), 6),
  reporters: ['<rootDir>/test/support/short-failures.reporter.mjs', 'summary'],
};
