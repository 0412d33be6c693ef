import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ownMap, ownRegistry, refusedOfOwnRegistry } from './own-registry';
import { ROOT } from './root';

/** Beside the repository, and not a part of it. */
const DATA = resolve(ROOT, '../shared/data');

const REAL = 'official-registry-2025-12-12.json.gz';
const REAL_MAP = 'catalogue.json';

/** The list of a registry in a file, and what is in it. */
export interface RegistryFile {
  /** The list answer `{"servers": […]}`, gzipped or not. */
  path: string;
  /** Which category each server goes into. */
  map: string;
  versions: number;
  servers: number;
  /** How many of its documents an import refuses. */
  refused: number;
}

/** @returns the path of a file of the shared data, which may not exist */
export function sharedData(file: string): string {
  return join(DATA, file);
}

/** For tests that need these files; where one is missing they are skipped, and their title names it. */
export function describeWithData(...files: string[]): jest.Describe {
  return files.every((file) => existsSync(sharedData(file))) ? describe : describe.skip;
}

/** Runs the same tests over a registry of our own making, and over the real one where its data exist. */
export function describeRegistries(name: string, define: (file: RegistryFile) => void): void {
  describe(`${name}, of a registry of our own making`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolyard-registry-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const servers = ownRegistry();
    const [path, map] = [join(folder, 'registry.json'), join(folder, 'map.json')];
    writeFileSync(path, JSON.stringify({ servers }));
    writeFileSync(map, JSON.stringify(ownMap(servers)));
    define({
      path,
      map,
      versions: servers.length,
      servers: new Set(servers.map(({ server }) => server.name)).size,
      refused: refusedOfOwnRegistry(),
    });
  });

  describeWithData(REAL, REAL_MAP)(`${name}, of the real registry (../shared/data/${REAL}, ${REAL_MAP})`, () => {
    define({
      path: sharedData(REAL),
      map: sharedData(REAL_MAP),
      versions: 2_628,
      servers: 1_055,
      refused: 11,
    });
  });
}
