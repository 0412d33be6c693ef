import { readFile } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { followHeir } from '../bundles/entries/follow-heir';
import { type CategoryMap, NO_MAP, readCategoryMap } from '../catalog/import/category-map';
import { ImportPage } from '../catalog/import/import-page';
import { Import } from '../catalog/import/import.service';
import type { ImportRun } from '../catalog/import/import-run';
import { RegistryReader } from '../catalog/import/registry-reader';
import { ListingWriter } from '../catalog/listings/listing-writer';
import { SampleHeirs } from '../catalog/listings/sample-heirs';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Metrics } from '../metrics/metrics';
import { many } from '../database/statements';
import { DnsResolver } from '../outbound/dns-resolver';
import { TargetAddresses } from '../outbound/target-addresses';
import { ENTITIES } from '../schema';
import { readOptions, runCommand } from './command';
import { withDatabase } from './with-database';

const USAGE = `Usage: npm run import -- --from <file or address of a v0.1 registry> [--category-map <file>] [--incremental]

Imports the servers of another MCP registry into the catalogue, with all their versions.
  --from           https://registry.modelcontextprotocol.io, or a file with its list (JSON, optionally gzipped)
  --category-map   a JSON file: {"categories": [{"slug", "name", …}], "assignments": {"<server name>": "<slug>"}}
  --incremental    import only changes since the last finished import

You can run it again at any time: existing versions are not written again, and an interrupted import resumes.
`;

async function main(signal: AbortSignal): Promise<string | undefined> {
  const values = readOptions(USAGE, {
    from: { type: 'string' },
    'category-map': { type: 'string' },
    incremental: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return USAGE.trimEnd();
  if (!values.from) throw new Error(`--from is required.\n\n${USAGE}`);
  const map = values['category-map'] === undefined ? NO_MAP : await readMap(values['category-map']);
  const environment = new Environment(process.env);
  const { from, incremental } = values;
  await withDatabase(
    environment,
    ENTITIES,
    async (dataSource) => {
      const run = await importerOf(dataSource, environment).run({
        from,
        map,
        incremental,
        signal,
        onProgress: progress,
      });
      report(run);
      if (run.quarantined > 0) await listQuarantine(dataSource, run);
    },
    2,
  );
  return undefined;
}

function importerOf(dataSource: DataSource, environment: Environment): Import {
  const reader = new RegistryReader(new TargetAddresses(environment, new DnsResolver()));
  const heirs = new SampleHeirs();
  heirs.register(followHeir);
  return new Import(
    dataSource,
    new ImportPage(new ListingWriter(), heirs),
    reader,
    new Clock(),
    environment,
    new Metrics(),
  );
}

async function readMap(path: string): Promise<CategoryMap> {
  try {
    return readCategoryMap(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new Error(`--category-map ${path}: ${(error as Error).message}`, { cause: error });
  }
}

function progress({ seen }: ImportRun): void {
  print(`${seen} versions read …`);
}

function report(run: ImportRun): void {
  const { status, seen, created, updated, unchanged, quarantined, error, next_cursor } = run;
  const counts = `${seen} versions: ${created} new, ${updated} changed, ${unchanged} unchanged, ${quarantined} in quarantine.`;
  if (status === 'finished') return print(`Done. ${counts}`);
  process.exitCode = 1;
  print(`Not finished. ${error ?? 'The import was interrupted.'}\nSo far: ${counts}`);
  if (next_cursor !== null) print('Run the same command again to resume.');
}

/**
 * Lists all quarantined documents of the source, from any run. Versions that were imported later are not in quarantine.
 */
async function listQuarantine(dataSource: DataSource, { source }: ImportRun): Promise<void> {
  const rows = await many<{ name: string | null; version: string | null; reason: string }>(
    dataSource,
    `SELECT name, version, concat_ws(' ', reasons -> 0 ->> 'path', reasons -> 0 ->> 'message') AS reason
     FROM import_quarantine WHERE source = $1 ORDER BY name, version`,
    [source],
  );
  print(`In quarantine from ${source === 'file' ? 'files' : source}:`);
  for (const { name, version, reason } of rows) print(`  ${name ?? '(no name)'} ${version ?? ''}: ${reason}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const shutdown = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => shutdown.abort());
runCommand(() => main(shutdown.signal));
