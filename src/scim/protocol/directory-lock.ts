import type { DataSource, EntityManager } from 'typeorm';
import { prepared } from '../../database/prepared';
import { firstErrorOf } from '../../database/transaction';
import { queueForLock } from '../../database/lock-queue';
import { AuthenticationError, requireFound } from '../../errors/errors';
import { LOCK_ORGANISATION } from '../../organisations/organisation-lock';
import { ErrorCode } from '../scim.errors';
import { holdAddresses } from '../../users/accounts.sql';
import type { ScimClient } from './scim-client';

/**
 * $1 organisation, $2 token, $3 addresses. The lock of `lockOrganisation`, then those of the addresses; and whether the
 * token exists, as of when the statement began, so after every revocation that was answered before then. One that is
 * answered while the statement waits for a lock comes too late.
 *
 * The statements that follow are planned once per connection. A plan from when the tables were nearly empty must not
 * read them whole later. What is switched off looks so expensive where there is no other way that PostgreSQL would
 * compile the statement, which takes longer than running it.
 */
const LOCK_DIRECTORY = {
  name: 'lock of a directory',
  sql: `
  WITH organisation AS MATERIALIZED (${LOCK_ORGANISATION})
  SELECT EXISTS (SELECT FROM scim_tokens WHERE scim_tokens.id = $2 AND org_id = $1) AS "isAdmitted",
         (${holdAddresses('$3')}) AS held,
         set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)
  FROM organisation`,
};

/**
 * `inOrganisation` for a change by an identity provider: confirms its token in the statement that takes the lock.
 *
 * @param begin what the work needs first. Its statements are sent together with the lock and executed after it, even if
 *   the token turns out to be revoked; then they are rolled back.
 * @param addresses to hold, too (`Accounts.forEmails`)
 * @throws what inOrganisation throws; AuthenticationError if the token was revoked, and then nothing was done
 */
export function inDirectory<Begun, T>(
  dataSource: DataSource,
  client: ScimClient,
  begin: (manager: EntityManager) => Promise<Begun>,
  work: (manager: EntityManager, begun: Begun) => Promise<T>,
  addresses: () => readonly string[] = () => [],
): Promise<T> {
  return queueForLock(dataSource, client.orgId, async (manager) => {
    const [, begun] = await firstErrorOf([lock(manager, client, addresses()), begin(manager)]);
    return work(manager, begun);
  });
}

async function lock(manager: EntityManager, client: ScimClient, addresses: readonly string[]): Promise<void> {
  const values = [client.orgId, client.tokenId, addresses];
  const [row] = await prepared<{ isAdmitted: boolean }>(manager, LOCK_DIRECTORY, values);
  const { isAdmitted } = requireFound(row, ErrorCode.OrganisationNotFound, client.orgId);
  // Also a token that was looked up or confirmed before: since then the change may have waited for its turn, or been
  // rolled back for another attempt. Then the answer has it looked up again, which also forgets it.
  client.isUnconfirmed = !isAdmitted;
  if (!isAdmitted) throw new AuthenticationError(ErrorCode.InvalidToken, 'This SCIM token was revoked.');
}
