import { execFileSync } from 'node:child_process';
import { ROOT } from './root';

/** Builds the console, unless it is built already. The application reads its files when it is created. */
export function buildConsole(): void {
  execFileSync(process.execPath, ['.scripts/build.mjs', '--tests'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
