import { availableParallelism } from 'node:os';

// Nest 12 and jose ship ES modules only, and jest can require() those only from Node 24.9 on: compile them down here.
const esModules = ['@nestjs', 'jose'].join('|');

const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
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

export default {
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.spec.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/postgres.setup.ts',
      globalTeardown: '<rootDir>/test/support/postgres.teardown.ts',
    },
  ],
  testTimeout: 30_000,
  // A suite mostly waits for its database, so two share two cores well; more than six would run out of connections.
  maxWorkers: Math.min(Math.max(availableParallelism() - 1, 2), 6),
};
