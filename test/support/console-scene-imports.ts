import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_MAP } from '../../src/catalog/import/category-map';
import { Import } from '../../src/catalog/import/import.service';
import type { ConsoleScene } from './console-scene';

/** Imports a file with these documents, as an operator does with the command. */
export async function importInto({ test }: Pick<ConsoleScene, 'test'>, servers: readonly object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolyard-scene-'));
  try {
    const from = join(folder, 'servers.json');
    await writeFile(from, JSON.stringify({ servers: servers.map((server) => ({ server })) }));
    await test.app.get(Import).run({ from, map: NO_MAP });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const serverOf = (name: string, more: object = {}) => ({
  name: `io.github.harbour/${name}`,
  description: 'Berths, tides and arrivals.',
  version: '1.0.0',
  ...more,
});

/** A document of more than 64 KiB with an error in its middle. */
export function longDocument(name: string): object {
  const packages = Array.from({ length: 400 }, (_, index) => ({
    registryType: 'npm',
    identifier: index === 200 ? 5 : `@harbour/package-${index}`,
    version: '1.0.0',
    transport: { type: 'stdio' },
  }));
  return serverOf(name, { packages });
}

/** Adds an import of which some documents are in quarantine, each for another reason. */
export async function addQuarantine(scene: Pick<ConsoleScene, 'test'>): Promise<void> {
  await importInto(scene, [
    serverOf('berths'),
    serverOf('berths', { description: 'Berths, and nothing else.' }),
    serverOf('tides', { version: 'latest', websiteUrl: 'https://harbour.example/' }),
    serverOf('arrivals', { description: '', packages: [{ registryType: 'npm', identifier: 5 }] }),
    longDocument('pilots'),
    serverOf('logbook', { notes: 'x'.repeat(140_000) }),
    { name: 'com.example\u202e/turned', description: 'A name that turns around.', version: '^1' },
  ]);
}
