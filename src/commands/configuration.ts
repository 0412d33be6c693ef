import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from '../config/configuration-page';

const FILE = join(__dirname, '..', '..', '..', 'docs', 'configuration.md');

/** `npm run configuration` writes docs/configuration.md from the declaration of the environment; a unit test compares them. */
writeFileSync(FILE, configurationPage());
process.stdout.write('Wrote docs/configuration.md.\n');
