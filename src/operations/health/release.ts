import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @returns the version of this release, as `package.json` has it, which is beside `dist/` and `src/` */
export function releaseVersion(from = __dirname): string {
  const path = join(from, 'package.json');
  if (existsSync(path)) return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  if (dirname(from) === from) throw new Error('package.json is not where this release was unpacked.');
  return releaseVersion(dirname(from));
}
