import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Afterwards } from '../../deletion/departures';
import { execute, many } from '../../database/statements';
import { type Revocation, Revocations } from '../connect/revocations';

/** Given back with one deletion: each is opened in its transaction. Of others the server learns nothing; here they are gone. */
const MOST_GIVEN_BACK = 200;

/** $1 account, $2 how many. Its own, and those of its personal bundles, which are deleted with it. */
const TOKENS_OF_ACCOUNT = `
  SELECT id FROM credentials WHERE kind IN ('OAUTH', 'OAUTH_CLIENT') AND person_id = $1
  UNION
  SELECT credentials.id FROM bundles JOIN credentials ON credentials.bundle_id = bundles.id
  WHERE bundles.owner_id = $1 AND bundles.org_id IS NULL AND credentials.kind IN ('OAUTH', 'OAUTH_CLIENT')
  ORDER BY id LIMIT $2`;

/** $1 organisation, $2 how many. Those for listings, and those of its bundles, of people too. */
const TOKENS_OF_ORGANISATION = `
  SELECT id FROM credentials WHERE kind IN ('OAUTH', 'OAUTH_CLIENT') AND organisation_id = $1
  UNION
  SELECT credentials.id FROM bundles JOIN credentials ON credentials.bundle_id = bundles.id
  WHERE bundles.org_id = $1 AND credentials.kind IN ('OAUTH', 'OAUTH_CLIENT')
  ORDER BY id LIMIT $2`;

/**
 * Removes the credentials of an account or organisation that is being deleted, and gives its tokens back to the servers that
 * gave them, once it is: best effort, and forgotten in any case.
 */
@Injectable()
export class DepartedCredentials {
  constructor(private readonly revocations: Revocations) {}

  /** And where the person is on the way to one. @param manager of the transaction that deletes the account */
  async removeOfAccount(manager: EntityManager, userId: string): Promise<Afterwards> {
    const given = await this.tokens(manager, TOKENS_OF_ACCOUNT, userId);
    await execute(manager, `DELETE FROM connect_flows WHERE person_id = $1`, [userId]);
    await execute(manager, `DELETE FROM credentials WHERE person_id = $1`, [userId]);
    return () => this.revocations.begin(given);
  }

  /** Those for listings; the others go with their bundles. @param manager of the transaction that deletes the organisation */
  async removeOfOrganisation(manager: EntityManager, orgId: string): Promise<Afterwards> {
    const given = await this.tokens(manager, TOKENS_OF_ORGANISATION, orgId);
    await execute(manager, `DELETE FROM credentials WHERE organisation_id = $1`, [orgId]);
    return () => this.revocations.begin(given);
  }

  private async tokens(manager: EntityManager, sql: string, ownerId: string): Promise<(Revocation | undefined)[]> {
    const given: (Revocation | undefined)[] = [];
    for (const { id } of await many<{ id: string }>(manager, sql, [ownerId, MOST_GIVEN_BACK]))
      given.push(await this.revocations.of(manager, id));
    return given;
  }
}
