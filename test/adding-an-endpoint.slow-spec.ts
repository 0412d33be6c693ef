import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder, removeFolders } from './support/embedded';
import { ROOT } from './support/root';

const PAGE = 'docs/adding-an-endpoint.md';

/** Everything that is committed, with the packages of this tree; as in a clone, nothing is built. */
function clone(): string {
  const folder = newFolder();
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
  for (const file of files) cpSync(join(ROOT, file), join(folder, file));
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(folder, 'node_modules'));
  return folder;
}

/** Without the database of this run: a run in the copy starts its own. */
function environment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(TEST_|JEST_|DATABASE_URL$)/.test(name));
  // Should the folder be in a repository, git would apply the diff to that one.
  return { ...Object.fromEntries(own), GIT_CEILING_DIRECTORIES: dirname(folder) };
}

/** @throws Error with what the command wrote, if it fails */
function run(folder: string, command: string, input: string, problem: string): void {
  const settings = { cwd: folder, env: environment(folder), shell: true, input, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync(command, settings);
  if (status !== 0) throw new Error(`${problem}\n\n${command}\n${stdout}${stderr}`);
}

describe(PAGE, () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8');
  const [, diff = ''] = /^```diff\n([^]*?)^```$/m.exec(page) ?? [];
  const [, commands = ''] = /`(npm run build && [^`]+)`/.exec(page) ?? [];
  const [, suite = ''] = /^\+\+\+ b\/(.*spec\.ts)$/m.exec(diff) ?? [];
  const [, title = ''] = /^\+ +it\('(.*)',/m.exec(diff) ?? [];

  afterAll(removeFolders);

  it('has a diff that applies to this tree, builds, and passes its own test', () => {
    expect([diff, commands, suite, title]).not.toContain('');
    const folder = clone();
    run(
      folder,
      'git apply -',
      diff,
      `The diff in ${PAGE} does not apply any more. Bring it up to date with these files:`,
    );
    run(folder, commands, '', `With the diff in ${PAGE}, this fails:`);
    const report = join(folder, 'report.json');
    const jest = `npx jest --selectProjects e2e --json --outputFile ${report} --testPathPatterns ${suite}`;
    run(folder, `${jest} --testNamePattern '${title}$'`, '', `The test in the diff of ${PAGE} fails:`);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ numPassedTests: 1, numFailedTests: 0 });
  });
});
