import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { transpileModule, ModuleKind, ScriptTarget } from 'typescript';
import { generatedFile } from './generated-file';

const NAME = 'secret.key';
const WRITERS = 16;

/** Each writer waits at a barrier, so that all of them find no file and write at the same moment. */
function raceOf(dataDir: string): Promise<string[]> {
  const source = readFileSync(join(__dirname, 'generated-file.ts'), 'utf8');
  const options = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const { outputText } = transpileModule(source, { compilerOptions: options });
  const code = `${outputText}
    const { parentPort, workerData } = require('node:worker_threads');
    const { barrier, dataDir, writer } = workerData;
    const waiting = new Int32Array(barrier);
    if (Atomics.add(waiting, 0, 1) === ${WRITERS - 1}) Atomics.notify(waiting, 0);
    for (let seen; (seen = Atomics.load(waiting, 0)) < ${WRITERS}; ) Atomics.wait(waiting, 0, seen, 10);
    parentPort.postMessage(exports.generatedFile(dataDir, '${NAME}', 'of writer ' + writer));`;
  const barrier = new SharedArrayBuffer(4);
  const writers = Array.from({ length: WRITERS }, (_, writer) => {
    const worker = new Worker(code, { eval: true, workerData: { barrier, dataDir, writer } });
    return new Promise<string>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  });
  return Promise.all(writers);
}

describe('A generated file', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'toolyard-generated-'));
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('is written once, readable only by its owner, and read from then on', () => {
    const below = join(dataDir, 'a', 'b');
    expect(generatedFile(below, NAME, 'first')).toBe('first');
    expect(generatedFile(below, NAME, 'second')).toBe('first');
    expect(statSync(join(below, NAME)).mode & 0o777).toBe(0o600);
    expect(readdirSync(below)).toEqual([NAME]);
  });

  it('has the same content for all processes that create it concurrently, and no leftovers', async () => {
    for (let round = 0; round < 5; round++) {
      const dir = join(dataDir, String(round));
      const contents = await raceOf(dir);
      expect(new Set(contents).size).toBe(1);
      expect(readFileSync(join(dir, NAME), 'utf8')).toBe(contents[0]);
      expect(readdirSync(dir)).toEqual([NAME]);
    }
  });

  it('throws if the file cannot be created', () => {
    writeFileSync(join(dataDir, 'file'), '');
    expect(() => generatedFile(join(dataDir, 'file'), NAME, 'x')).toThrow(/ENOTDIR|EEXIST/);
  });
});
