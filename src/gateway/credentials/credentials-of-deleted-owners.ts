import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Afterwards } from '../../deletion/departures';
import { execute, many } from '../../database/statements';
import { Credential } from './credential.entity';
import { Revocations } from './oauth-ports';

/** Tokens revoked with one deletion, as each is decrypted in its transaction. The others are deleted here only. */
const MAX_REVOKED = 200;

type Revocation = (() => void) | undefined;

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
 * Removes the credentials of an account or organisation that is being deleted. Once the deletion is committed, their tokens
 * are revoked at the servers that issued them (RFC 7009), with one try each.
 */
@Injectable()
export class CredentialsOfDeletedOwners {
  constructor(private readonly revocations: Revocations) {}

  /**
   * Removes the connections that the person has begun, too.
   *
   * @param manager of the transaction that deletes the account
   * @returns what to do once it is committed
   */
  async removeOfAccount(manager: EntityManager, userId: string): Promise<Afterwards> {
    const opened = await this.opened(
      manager,
      await many<{ id: string }>(manager, TOKENS_OF_ACCOUNT, [userId, MAX_REVOKED]),
    );
    await execute(manager, `DELETE FROM connect_flows WHERE person_id = $1`, [userId]);
    await manager.getRepository(Credential).delete({ personId: userId });
    return () => opened.forEach((giveBack) => giveBack?.());
  }

  /**
   * Removes those for listings; the others are deleted with their bundles.
   *
   * @param manager of the transaction that deletes the organisation
   * @returns what to do once it is committed
   */
  async removeOfOrganisation(manager: EntityManager, orgId: string): Promise<Afterwards> {
    const opened = await this.opened(
      manager,
      await many<{ id: string }>(manager, TOKENS_OF_ORGANISATION, [orgId, MAX_REVOKED]),
    );
    await manager.getRepository(Credential).delete({ organisationId: orgId });
    return () => opened.forEach((giveBack) => giveBack?.());
  }

  private async opened(manager: EntityManager, credentials: readonly { id: string }[]): Promise<Revocation[]> {
    const opened: Revocation[] = [];
    for (const { id } of credentials) opened.push(await this.revocations.of(manager, id));
    return opened;
  }
}
