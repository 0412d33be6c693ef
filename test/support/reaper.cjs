// Removes what a run of the tests leaves behind when it is killed: its PostgreSQL and its folder. The run holds the
// other end of standard input, which the operating system closes however the run ends.
const { existsSync, readFileSync, realpathSync, rmSync } = require('node:fs');
const { dirname, join } = require('node:path');

const [dataDir] = process.argv.slice(2);

process.stdin.resume();
process.stdin.on('end', () => {
  const link = join(dataDir, 'postgres');
  const postmaster = join(link, 'postmaster.pid');
  if (existsSync(postmaster)) {
    try {
      process.kill(parseInt(readFileSync(postmaster, 'utf8'), 10), 'SIGQUIT');
    } catch {
      // It ended by itself.
    }
  }
  // As root, the cluster may be in a folder of the server's user, to which DATA_DIR links.
  const cluster = existsSync(link) ? realpathSync(link) : link;
  const retry = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };
  if (dirname(cluster) !== realpathSync(dirname(link))) rmSync(dirname(cluster), retry);
  rmSync(dataDir, retry);
});
// A Ctrl-C reaches the whole process group; the end of the run is what counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
