import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedPostgres } from '../src/embedded/embedded-postgres';
import { bundleDeletion } from './cases/bundle-deletion';
import { catalogue } from './cases/catalogue';
import { categories } from './cases/categories';
import { hostileRequestsCase } from './cases/hostile-requests';
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
import type { BenchCase, Figure } from './measure';

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
  'hostile-requests': hostileRequestsCase,
  'organisation-deletion': organisationDeletion,
  'sign-in': signIn,
  'sign-in-revocation': signInRevocation,
  'sign-in-code': signInCode,
  'sign-in-passwords': signInPasswords,
  'sign-in-unknown': signInUnknown,
};

/**
 * `npm run bench [-- --only categories] [--rounds 5] [--seconds 4]`: runs each case against its reference in the same
 * run, alternating, and prints medians and ratios; the same as JSON in bench/results/. Only the ratios matter: figures
 * from two machines, or from two days on a shared one, are not comparable.
 *
 * `--only sign-in` also runs the cases whose names begin with `sign-in-`.
 *
 * `--attempts` is how much history the case `webhook-deliveries` creates, `--explain` prints the plans of its
 * statements.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      attempts: { type: 'string', default: '10000000' },
      explain: { type: 'boolean', default: false },
    },
  });
  const names = (values.only ?? Object.keys(CASES)).flatMap(casesOf);
  const folder = mkdtempSync(join(tmpdir(), 'toolyard-bench-'));
  chmodSync(folder, 0o755); // if run as root, PostgreSQL runs as another user, who needs access
  const postgres = await EmbeddedPostgres.start(folder, () => undefined);
  const figures: Figure[] = [];
  try {
    for (const name of names) {
      const run = CASES[name];
      if (!run) continue;
      process.stderr.write(`${name} …\n`);
      figures.push(
        ...(await run({
          serverUrl: postgres.url,
          dataDir: folder,
          rounds: Number(values.rounds),
          seconds: Number(values.seconds),
          attempts: Number(values.attempts),
          explain: values.explain,
        })),
      );
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  print(figures);
  const results = join(__dirname, '..', '..', 'bench', 'results');
  mkdirSync(results, { recursive: true });
  const machine = { node: process.version, cores: availableParallelism() };
  writeFileSync(join(results, 'latest.json'), `${JSON.stringify({ machine, figures }, null, 2)}\n`);
}

/** @returns the case of that name and those whose names begin with it: `sign-in` and `sign-in-code` */
function casesOf(name: string): string[] {
  const names = Object.keys(CASES).filter((one) => one === name || one.startsWith(`${name}-`));
  if (names.length === 0)
    throw new Error(`The case ${name} does not exist; the cases are ${Object.keys(CASES).join(', ')}.`);
  return names;
}

function print(figures: Figure[]): void {
  const rows = figures.map(({ name, median, unit, ratio, goal }) => [
    name,
    `${median.toPrecision(4)} ${unit}`,
    ratio === undefined ? '' : ratio.value.toFixed(2),
    ratio === undefined ? '' : ratio.to,
    goal ?? '',
  ]);
  const table = [['case', 'median', 'ratio', 'to', 'goal'], ...rows];
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
