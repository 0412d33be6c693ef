import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { type ColumnCount, ReEncryption } from '../operations/secrets-keys/re-encryption';
import { SEALED_COLUMNS } from '../schema';
import { readOptions, runCommand } from './command';
import { withDatabase } from './with-database';

const USAGE = `Usage: npm run re-encrypt [-- --check]

Encrypts everything that a former SECRETS_KEY has encrypted again, with the current one, while the service runs. Needs the
configuration of the service, with the former key in SECRETS_KEYS_ACCEPTED. You can interrupt it and run it again at any time.
  --check   only count, and change nothing

Exits with 0 if nothing depends on a former key any more, with 1 otherwise.
`;

const REMOVE_FORMER =
  ' Former keys can be removed from SECRETS_KEYS_ACCEPTED: after a leak now, otherwise in a week, when the last sessions ' +
  'that they signed have ended.';

async function main(): Promise<string | undefined> {
  const values = readOptions(USAGE, {
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return USAGE.trimEnd();
  const environment = new Environment(process.env);
  const secrets = Secrets.of(environment);
  const [current, ...accepted] = secrets.ids;
  print(`SECRETS_KEY has the id ${current}. SECRETS_KEYS_ACCEPTED: ${accepted.join(', ') || 'none'}.`);
  await withDatabase(environment, [], async (dataSource) => {
    const work = new ReEncryption(dataSource, secrets, SEALED_COLUMNS);
    if (values.check) {
      const counts = await work.check();
      report(counts);
      return conclude(counts, accepted, 'Run "npm run re-encrypt" to encrypt them again.');
    }
    // Each pass reports the columns with something to do; after the last one, the others are reported as well.
    const counts = await work.run((pass) => report(pass.filter(({ other }) => other > 0)));
    report(counts.filter(({ other }) => other === 0));
    conclude(counts, accepted, 'Others keep them locked, or encrypt with a former key. Run the command again.');
  });
  return undefined;
}

function report(counts: readonly ColumnCount[]): void {
  for (const { column, current, other, resealed, unreadable } of counts) {
    const done = resealed > 0 ? `, encrypted again ${resealed}` : '';
    print(
      `${column.table}.${column.column}: current key ${current}, former keys ${other}${done}, unreadable ${unreadable}`,
    );
  }
}

/**
 * @param accepted ids of former keys
 * @param advice if there are still values of former keys
 */
function conclude(counts: readonly ColumnCount[], accepted: readonly string[], advice: string): void {
  const other = counts.reduce((sum, count) => sum + count.other, 0);
  const unreadable = counts.filter((count) => count.unreadable > 0);
  for (const { column, unreadableKeys, unreadable: number } of unreadable) {
    const more = number > unreadableKeys.length ? ` and ${number - unreadableKeys.length} more` : '';
    print(`Cannot be decrypted with any key: ${column.table} ${unreadableKeys.join(', ')}${more}`);
  }
  if (unreadable.length > 0)
    print('Add the SECRETS_KEY with which they were encrypted to SECRETS_KEYS_ACCEPTED, or delete these rows.');
  if (other > 0) print(`Values that are still encrypted with former keys: ${other}. ${advice}`);
  if (other > 0 || unreadable.length > 0) process.exitCode = 1;
  else print(`Everything is encrypted with the current SECRETS_KEY.${accepted.length > 0 ? REMOVE_FORMER : ''}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

runCommand(main);
