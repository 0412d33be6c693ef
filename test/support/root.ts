import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the project: this file runs from dist/ too, which has no package.json. */
export const ROOT = above(__dirname);

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder));
}
