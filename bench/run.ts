import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { format } from 'prettier';
import { EmbeddedPostgres } from '../src/embedded/embedded-postgres';
import { bundleDeletion } from './cases/bundle-deletion';
import { catalogue } from './cases/catalogue';
import { categories } from './cases/categories';
import { consoleFiles } from './cases/console-files';
import { costlyNeighbours } from './cases/costly-neighbours';
import { gatewayCalls } from './cases/gateway-calls';
import { gatewayLargeAnswers } from './cases/gateway-large-answers';
import { hostileRequestsCase } from './cases/hostile-requests';
import { limits } from './cases/limits';
import { limitsNeighbours } from './cases/limits-neighbours';
import { scimBulk } from './cases/scim-bulk';
import { organisationDeletion } from './cases/organisation-deletion';
import { registryMemory } from './cases/registry-memory';
import { registryRequests } from './cases/registry-requests';
import { scimGroups } from './cases/scim-groups';
import { scimProvisioning } from './cases/scim-provisioning';
import { scimRequests } from './cases/scim-requests';
import { scimSync } from './cases/scim-sync';
import { scimUsers } from './cases/scim-users';
import { signIn } from './cases/sign-in';
import { signInCode } from './cases/sign-in-code';
import { signInPasswords } from './cases/sign-in-passwords';
import { signInRevocation } from './cases/sign-in-revocation';
import { signInUnknown } from './cases/sign-in-unknown';
import { webhookDeliveries } from './cases/webhook-deliveries';
import { webhookFairness } from './cases/webhook-fairness';
import { webhookLatency } from './cases/webhook-latency';
import { webhookList } from './cases/webhook-list';
import { webhookOwners } from './cases/webhook-owners';
import { webhookThroughput } from './cases/webhook-throughput';
import type { BenchCase, BenchSettings } from './measure';
import { chartOf } from './report/chart';
import { compareRuns } from './report/comparison';
import { highlightsOf } from './report/highlights';
import { changesOf, reportOf, withFigures } from './report/page';
import { conditionsNow, type Result, type Results, resultsOf, withCases } from './report/results';
import { selectedCases } from './selection';

const CASES: Record<string, BenchCase> = {
  categories,
  catalogue,
  'registry-memory': registryMemory,
  'registry-requests': registryRequests,
  'webhook-list': webhookList,
  'webhook-throughput': webhookThroughput,
  'webhook-latency': webhookLatency,
  'webhook-fairness': webhookFairness,
  'webhook-owners': webhookOwners,
  'webhook-deliveries': webhookDeliveries,
  'scim-sync': scimSync,
  'scim-bulk': scimBulk,
  'scim-groups': scimGroups,
  'scim-users': scimUsers,
  'scim-provisioning': scimProvisioning,
  'scim-requests': scimRequests,
  'bundle-deletion': bundleDeletion,
  'gateway-calls': gatewayCalls,
  'gateway-large-answers': gatewayLargeAnswers,
  'hostile-requests': hostileRequestsCase,
  'organisation-deletion': organisationDeletion,
  limits,
  'limits-neighbours': limitsNeighbours,
  'costly-neighbours': costlyNeighbours,
  'console-files': consoleFiles,
  'sign-in': signIn,
  'sign-in-revocation': signInRevocation,
  'sign-in-code': signInCode,
  'sign-in-passwords': signInPasswords,
  'sign-in-unknown': signInUnknown,
};

const ROOT = join(__dirname, '..', '..');
/** The figures of all cases, which are committed. */
const RESULTS = join(ROOT, 'bench/results.json');
const PAGE = join(ROOT, 'docs/performance.md');
const CHART = join(ROOT, 'docs/performance.svg');

/**
 * `npm run bench [-- --all | --only categories] [--rounds 5] [--seconds 4] [--compare] [--update]`: runs cases, those that
 * guard what users feel (`selection.ts`), all or some, against their references in the same run, alternating, and prints medians, ratios and whether the goals are met. Only the ratios
 * matter: figures from two machines, or from two days on a shared one, are not comparable.
 *
 * `--all` writes `bench/results.json`, and the short table and chart of `docs/performance.md`; without it, a run replaces its
 * own figures in them. `--only` does so only with `--update`. Every run writes `bench/results/latest.json`.
 * `--compare` says what moved since the committed results. A case that fails is named, and the others run.
 *
 * `--report` measures nothing: it prints the tables of all committed figures, and writes `docs/performance.md` from them.
 *
 * `--only sign-in` also runs the cases whose names begin with `sign-in-`.
 *
 * `--attempts` is how much history the case `webhook-deliveries` creates, `--explain` prints the plans of its
 * statements.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      attempts: { type: 'string', default: '10000000' },
      explain: { type: 'boolean', default: false },
      compare: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
    },
  });
  const names = selectedCases(Object.keys(CASES), values);
  const settings = {
    rounds: wholeNumber('rounds', values.rounds),
    seconds: wholeNumber('seconds', values.seconds),
    attempts: wholeNumber('attempts', values.attempts),
    explain: values.explain,
  };
  const before = committedResults();
  if ((values.compare || values.update || values.report) && !before)
    throw new Error('There is no bench/results.json yet: run all cases first (--all).');
  if (values.report && before) {
    process.stdout.write(`${reportOf(before)}\n`);
    writePage(before);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolyard-bench-'));
  chmodSync(folder, 0o755); // if run as root, PostgreSQL runs as another user, who needs access
  const postgres = await EmbeddedPostgres.start(folder, () => undefined);
  try {
    const results = await runCases(names, { ...settings, serverUrl: postgres.url, dataDir: folder });
    print(results.results);
    await writeLatest(results);
    if (values.only === undefined || values.update)
      await publish(values.all || !before ? results : withCases(before, results));
    if (values.compare && before)
      process.stdout.write(`\n${changesOf(compareRuns(before, results), sinceOf(before))}\n`);
    if (results.failed.length > 0) throw new Error(`These cases failed: ${results.failed.join(', ')}.`);
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runCases(names: readonly string[], settings: BenchSettings): Promise<Results> {
  const all: Results = {
    conditions: conditionsNow(await postgresVersion(settings), settings),
    results: [],
    failed: [],
  };
  for (const name of names) {
    process.stderr.write(`${name} …\n`);
    try {
      all.results.push(...resultsOf(name, (await CASES[name]?.(settings)) ?? []));
    } catch (error) {
      all.failed.push(name);
      process.stderr.write(
        `${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    }
  }
  return all;
}

async function postgresVersion({ serverUrl }: BenchSettings): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
    return rows[0]?.version.split(' ')[0] ?? 'unknown';
  } finally {
    await client.end();
  }
}

function committedResults(): Results | undefined {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : undefined;
}

function sinceOf({ conditions: { date, commit } }: Results): string {
  return commit === undefined ? date : `${date} (${commit})`;
}

async function writeLatest(results: Results): Promise<void> {
  mkdirSync(join(ROOT, 'bench/results'), { recursive: true });
  writeFileSync(join(ROOT, 'bench/results/latest.json'), await jsonOf(results));
}

async function publish(results: Results): Promise<void> {
  writeFileSync(RESULTS, await jsonOf(results));
  writePage(results);
}

function writePage(results: Results): void {
  writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), results));
  writeFileSync(CHART, chartOf(highlightsOf(results.results).found.map(({ result }) => result)));
}

function jsonOf(results: Results): Promise<string> {
  return format(JSON.stringify(results), { parser: 'json', printWidth: 120 });
}

/** @throws Error that names the option */
function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} ${text} is not a whole number above 0.`);
  return Number(text);
}

function print(results: readonly Result[]): void {
  const rows = results.map(({ name, median, unit, ratio, goal, isMet }) => [
    name,
    `${median.toPrecision(4)} ${unit}`,
    ratio === undefined ? '' : ratio.value.toFixed(2),
    ratio === undefined ? '' : ratio.to,
    goal ?? '',
    isMet === undefined ? '' : isMet ? 'met' : 'NOT MET',
  ]);
  const table = [['case', 'median', 'ratio', 'to', 'goal', ''], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table)
    process.stdout.write(
      `${row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
