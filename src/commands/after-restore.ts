import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  endGrants,
  endSessions,
  replaceSigningKeys,
  revokeClientSecrets,
  revokePersonalTokens,
} from '../auth/after-restore';
import { revokeBundleTokens } from '../bundles/access-tokens/after-restore';
import { stopEndpointDeployments } from '../bundles/deployments/after-restore';
import { Environment } from '../config/environment';
import { MIGRATION_LOCK } from '../database/migrate';
import { execute, many, one } from '../database/statements';
import { disableMcpEndpoints, forgetUpstreamSessions } from '../gateway/after-restore';
import { forgetKeyHolders } from '../operations/secrets-keys/after-restore';
import { revokeScimTokens } from '../scim/tokens/after-restore';
import { ENTITIES } from '../schema';
import { endLinks } from '../sign-in/after-restore';
import { cancelUnsent, disableEndpoints } from '../webhooks/engine/after-restore';
import { readOptions, runCommand } from './command';
import { withDatabase } from './with-database';

const USAGE = `Usage: npm run after-restore -- [--end-tokens] [--as-copy] [--force]

Run it on a database that was restored from a backup, before the service starts on it. Webhooks that were pending in the
backup are not sent again, and nobody is signed in any more. It is safe to run again.
  --end-tokens   also revoke the tokens of people, of SCIM and of bundles, and the secrets of OAuth clients
  --as-copy      for a copy beside the original, to try something: also disable all webhook and MCP endpoints, revoke the
                 tokens as --end-tokens does, and replace the signing keys
  --force        even while the service is connected to the database
`;

/** What was done, in the order of the report. */
type Report = [label: string, count: number][];

interface Choices {
  endsTokens: boolean;
  isCopy: boolean;
  isForced: boolean;
}

async function main(): Promise<string> {
  const values = readOptions(USAGE, {
    'end-tokens': { type: 'boolean', default: false },
    'as-copy': { type: 'boolean', default: false },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return USAGE.trimEnd();
  const isCopy = values['as-copy'];
  const choices = { isCopy, endsTokens: isCopy || values['end-tokens'], isForced: values.force };
  return withDatabase(new Environment(process.env), ENTITIES, async (dataSource) => {
    const report = await dataSource.transaction((manager) => clean(manager, choices));
    return [...report.map(([label, count]) => `${label}: ${count}`), 'Done. The service can start.'].join('\n');
  });
}

/** All of it, or nothing. */
async function clean(manager: EntityManager, choices: Choices): Promise<Report> {
  // A million deliveries take longer than a request may.
  await execute(manager, `SET LOCAL statement_timeout = 0`);
  if (!choices.isForced) {
    await requireQuiet(manager);
    await forgetKeyHolders(manager);
  }
  const { deliveries, recoveries } = await cancelUnsent(manager);
  const report: Report = [
    ['Webhook deliveries cancelled, with the error "restored"', deliveries],
    ['Recoveries of webhook endpoints cancelled', recoveries],
    ['Sessions ended', await endSessions(manager)],
    ['Codes, refresh tokens and grants of OAuth ended', await endGrants(manager)],
    ['Links for passwords, invitations to have an account and set-up ended', await endLinks(manager)],
    ['Sessions with servers of MCP endpoints forgotten', await forgetUpstreamSessions(manager)],
  ];
  if (choices.endsTokens) {
    report.push(
      ['Personal access tokens revoked', await revokePersonalTokens(manager)],
      ['SCIM tokens revoked', await revokeScimTokens(manager)],
      ['Access tokens of bundles revoked', await revokeBundleTokens(manager)],
      ['Secrets of OAuth clients revoked', await revokeClientSecrets(manager)],
    );
  }
  if (choices.isCopy) {
    report.push(
      ['Webhook endpoints disabled', await disableEndpoints(manager)],
      ['Signing keys removed', await replaceSigningKeys(manager)],
      ['MCP endpoints disabled', await disableMcpEndpoints(manager)],
      ['Deployments stopped that are MCP endpoints', await stopEndpointDeployments(manager)],
    );
  }
  return report;
}

/**
 * Makes sure that no process serves this database, and that one that starts waits: it migrates first, under the same
 * lock.
 *
 * @throws Error for the operator that names the connections
 */
async function requireQuiet(manager: EntityManager): Promise<void> {
  const { free } = await one<{ free: boolean }>(manager, `SELECT pg_try_advisory_xact_lock($1) AS free`, [
    MIGRATION_LOCK,
  ]);
  if (!free) throw new Error('Another process is migrating this database, or running this command. Try again later.');
  const others = await many<{ name: string; address: string; connections: number }>(manager, OTHER_CONNECTIONS);
  if (others.length === 0) return;
  const list = others.map(({ name, address, connections }) => `${connections} of "${name}" from ${address}`);
  throw new Error(
    `Other processes are connected to this database: ${list.join(', ')}. They may be sending old webhooks now. ` +
      'Stop them first, or use --force. Nothing was changed.',
  );
}

/** Finds connections of the service, and of a restore that has not ended. Names are visible to every role. */
const OTHER_CONNECTIONS = `
  SELECT application_name AS name, coalesce(host(client_addr), 'this machine') AS address, count(*)::int AS connections
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND (application_name LIKE 'toolyard%' OR application_name = 'pg_restore')
  GROUP BY application_name, client_addr ORDER BY 1, 2`;

// Only what was done, and no log of the modules.
Logger.overrideLogger(false);
runCommand(main);
