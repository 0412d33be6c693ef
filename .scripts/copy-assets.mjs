// Copies the files beside the sources that compiled code reads, as nest-cli.json lists them, to another output folder:
// `tsc` alone leaves them behind. Usage: node .scripts/copy-assets.mjs dist-bench
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const [output] = process.argv.slice(2);
if (output === undefined) throw new Error('Usage: node .scripts/copy-assets.mjs <output folder>');

const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8'));
const endings = compilerOptions.assets.map(({ include }) => include.replace('**/*', ''));
for (const file of readdirSync(join(ROOT, 'src'), { recursive: true })) {
  if (endings.some((ending) => file.endsWith(ending))) cpSync(join(ROOT, 'src', file), join(ROOT, output, 'src', file));
}
