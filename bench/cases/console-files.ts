import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { alternate, type BenchCase, compared, startServer } from '../measure';
import { startService } from '../service';

const BUILT = join(__dirname, '..', '..', 'console');

/** The largest script of the console, which every first visit gets, beside `express.static` with the same file. */
export const consoleFiles: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_console', 3901);
  const reference = join(__dirname, '..', 'references', 'static-files.js');
  const files = await startServer(reference, 3902, { FOLDER: BUILT }, '/console/index.html');
  const path = `/console/files/${largestScript()}`;
  try {
    const rounds = await alternate(
      [
        { name: 'a file of the console', url: service.url + path },
        { name: 'express.static', url: files.url + path },
      ],
      settings,
    );
    return [
      compared(rounds, 'a file of the console', 'express.static', '≥ 0.9'),
      compared(rounds, 'express.static', 'express.static'),
    ];
  } finally {
    await Promise.all([service.stop(), files.stop()]);
  }
};

function largestScript(): string {
  const folder = join(BUILT, 'files');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const [largest] = scripts.sort((one, other) => statSync(join(folder, other)).size - statSync(join(folder, one)).size);
  if (largest === undefined) throw new Error('The console was not built: run "npm run build".');
  return largest;
}
