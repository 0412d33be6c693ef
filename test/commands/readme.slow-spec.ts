import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '../support/database';
import { newFolder, removeFolders } from '../support/embedded';
import { ROOT } from '../support/root';
import { killToolyards, startToolyard, type ToolyardProcess } from '../support/toolyard-process';

/** What is pasted into the second terminal: the first five minutes of the README, and the tour. */
function blocks(): string[] {
  const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');
  const readme = textOf('README.md');
  const minutes = readme.slice(readme.indexOf('## The first five minutes'), readme.indexOf('## Where to go on'));
  return Array.from(
    `${minutes}\n${textOf('docs/tour.md')}`.matchAll(/^```sh\n([^]*?)^```$/gm),
    ([, block = '']) => block,
  ).filter((block) => !block.includes('npm start'));
}

const SHELLS = ['bash', 'zsh'].map((shell) => ({ shell, isHere: spawnSync(shell, ['-c', ':']).status === 0 }));

describe('The first five minutes of the README, and docs/tour.md', () => {
  let database: TestDatabase;
  let toolyard: ToolyardProcess;
  let env: Record<string, string>;

  beforeEach(async () => {
    database = await createDatabase();
    env = {
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: newFolder(),
      SAMPLE_CATALOGUE: 'true',
      WEBHOOKS_ALLOW_HTTP: 'true',
      WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
    };
    toolyard = await (await startToolyard(env)).ready();
    env.PORT = new URL(toolyard.url).port;
  });
  afterEach(async () => {
    await killToolyards();
    await database.drop();
  });
  afterAll(removeFolders);

  /** Runs text in a shell of its own, and whatever it leaves behind is ended. @returns what a person sees */
  async function paste(shell: string, text: string): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const terminal = spawn(shell, ['-s'], { cwd: ROOT, env: { PATH, HOME, ...env }, detached: true });
    let seen = '';
    for (const stream of [terminal.stdout, terminal.stderr])
      stream.setEncoding('utf8').on('data', (words: string) => (seen += words));
    terminal.stdin.end(text);
    const closed = once(terminal, 'close');
    await once(terminal, 'exit');
    // The MCP server and the receiver of webhooks go on in the background, and hold the output open.
    if (terminal.pid !== undefined && isGroup(terminal.pid)) process.kill(-terminal.pid);
    await closed;
    return seen;
  }

  for (const { shell, isHere } of SHELLS) {
    const title = `works when pasted into ${shell}, and when each block is pasted again and again`;
    if (!isHere) {
      it.skip(`SKIPPED, as ${shell} is not installed: ${title}`, () => undefined);
      continue;
    }
    it(title, async () => {
      const first = await paste(shell, blocks().join('\n'));
      expect(first).not.toMatch(/undefined|There is no|"detail": \[|"code": /);
      expect(first).toContain('"text":"Hello, Alice."');
      expect(first).toMatch(/"email": "carol@example.com"[^]*"role": "ADMIN"/);
      const again = await paste(
        shell,
        blocks()
          .flatMap((block) => [block, block])
          .join('\n'),
      );
      // What exists already, and nothing else: every variable has its value.
      expect(again).not.toMatch(/undefined|"detail": \[|"code": "(?!\w+_conflict")/);
      expect(again.match(/^There is no .*/gm)?.filter((line) => line !== 'There is no id in []') ?? []).toEqual([]);
      expect(again.match(/^HTTP\/1\.1 (?!2)\d+/gm)).toBeNull();
    });
  }
});

function isGroup(id: number): boolean {
  try {
    return process.kill(-id, 0);
  } catch {
    return false;
  }
}
