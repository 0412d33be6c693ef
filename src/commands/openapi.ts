import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeRoutes } from '../document';

const FILE = join(__dirname, '..', '..', '..', 'openapi.json');

/**
 * `npm run openapi` writes openapi.json from the routes; with `-- --check` it only compares the two and reports how to
 * fix a difference. Needs no database, because the document is built from decorators.
 */
async function main(): Promise<void> {
  const text = `${JSON.stringify(await describeRoutes(), null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, text);
    process.stdout.write('Wrote openapi.json.\n');
  } else if (readFileSync(FILE, 'utf8') === text) {
    process.stdout.write('openapi.json is up to date.\n');
  } else {
    process.stderr.write(
      'openapi.json does not match the routes. If the change is intended, run: npm run build && npm run openapi\n',
    );
    process.exitCode = 1;
  }
}

void main().then(() => process.exit());
