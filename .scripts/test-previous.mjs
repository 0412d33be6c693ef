// Runs the smoke part of the previous release's own e2e tests, with its own code, on the schema of this release: what its
// replicas meet after the first new process has migrated. Takes two minutes.
//
//   npm run test:previous [-- <pattern of its tests>]
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PREVIOUS, replaceMigrations, unpackPrevious } from './rolling/previous-release.mjs';
import { SMOKE } from './smoke-suites.mjs';

/** Tests of the schema itself, which is another one now. Titles, from their beginning. */
const OF_THE_SCHEMA = ['Deleting an account covers every column that refers to an account'];

const folder = unpackPrevious();
if (folder === undefined) {
  process.stderr.write(
    `SKIPPED: the previous release was not tried on this schema. This needs git and commit ${PREVIOUS.commit}.\n`,
  );
  process.exit(0);
}
try {
  replaceMigrations(folder);
  const [pattern = SMOKE] = process.argv.slice(2);
  const args = ['--selectProjects', 'e2e', '--testPathPatterns', pattern];
  args.push('--testNamePattern', `^(?!(${OF_THE_SCHEMA.join('|')})$)`);
  const jest = join(folder, 'node_modules/jest/bin/jest.js');
  const { status } = spawnSync(process.execPath, [jest, '--config', configWithSwc(folder), ...args], {
    cwd: folder,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @returns a configuration of that release's tests in which SWC compiles them: releases until 0.1 had ts-jest, which is not
 *   installed any more
 */
function configWithSwc(folder) {
  const path = join(folder, 'jest.swc.config.mjs');
  const swc = readFileSync(join(import.meta.dirname, '../.swcrc'), 'utf8');
  const text = `import config from './jest.config.mjs';
    const projects = config.projects?.map((project) => ({
      ...project,
      transform: { ...project.transform, '^.+\\\\.ts$': ['@swc/jest', ${swc}] },
    }));
    export default projects ? { ...config, projects } : config;`;
  writeFileSync(path, text);
  return path;
}
