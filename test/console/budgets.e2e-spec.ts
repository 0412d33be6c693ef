import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

const BUILT = join(ROOT, 'dist/console');
const HOME = 'src/screens/home/home-screen.tsx';

/** Of Vite's manifest: a file, and what it needs. */
interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

describe('The size of the console, in bytes of brotli', () => {
  let manifest: Record<string, Chunk>;

  beforeAll(() => {
    manifest = JSON.parse(readFileSync(join(BUILT, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  });

  const sizeOf = (files: Iterable<string>) =>
    Array.from(files).reduce((sum, file) => sum + statSync(join(BUILT, `${file}.br`)).size, 0);

  /** The files that a screen needs before it is shown. */
  function neededBy(names: string[], seen = new Set<string>()): Set<string> {
    for (const name of names) {
      const chunk = manifest[name];
      if (!chunk || seen.has(chunk.file)) continue;
      seen.add(chunk.file);
      chunk.css?.forEach((file) => seen.add(file));
      neededBy(chunk.imports ?? [], seen);
    }
    return seen;
  }

  it('is at most 150 kB of script and 20 kB of style for the first screen', () => {
    const needed = Array.from(neededBy(['index.html', HOME]));
    expect(manifest[HOME]).toBeDefined();
    expect(sizeOf(needed.filter((file) => file.endsWith('.js')))).toBeLessThanOrEqual(150_000);
    expect(sizeOf(needed.filter((file) => file.endsWith('.css')))).toBeLessThanOrEqual(20_000);
  });

  it('is at most 450 kB of script for all screens', () => {
    const scripts = new Set(
      Object.values(manifest)
        .map(({ file }) => file)
        .filter((file) => file.endsWith('.js')),
    );
    expect(sizeOf(scripts)).toBeLessThanOrEqual(450_000);
  });
});
