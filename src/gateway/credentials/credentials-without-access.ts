import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MIN_ID } from '../../database/id';
import { many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { Revocations } from './oauth-ports';
import { CredentialStore } from './credential-store';
import { hasLostAccess } from './credential-store.sql';

const AT_ONCE = 500;

const HAS_LOST_ACCESS = hasLostAccess('own');

/** $1 the last id that was looked at, $2 how many. */
const LOOK = `
  SELECT own.id, ${HAS_LOST_ACCESS} AS has_left
  FROM (SELECT id, person_id, bundle_id FROM credentials WHERE owner = 'PERSON' AND id > $1 ORDER BY id LIMIT $2) AS own
  ORDER BY own.id`;

/** $1 credential. Who has come back meanwhile keeps it. */
const LOCK_WITHOUT_ACCESS = `
  SELECT own.id FROM credentials AS own WHERE own.id = $1 AND own.owner = 'PERSON' AND ${HAS_LOST_ACCESS}
  FOR NO KEY UPDATE OF own`;

/**
 * Deletes the credentials of people who may not use the bundle any more: they left the organisation, its directory has
 * deactivated them, or they are no editors any more. No one could use these since, because no one is admitted with them.
 */
@Injectable()
export class CredentialsWithoutAccess {
  private after = MIN_ID;

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
    private readonly revocations: Revocations,
  ) {}

  /** @returns whether there is more to look at in this round */
  async removeSome(): Promise<boolean> {
    const rows = await many<{ id: string; has_left: boolean }>(this.dataSource, LOOK, [this.after, AT_ONCE]);
    for (const { id, has_left } of rows) if (has_left) await this.remove(id);
    const last = rows.at(-1);
    this.after = last && rows.length === AT_ONCE ? last.id : MIN_ID;
    return rows.length === AT_ONCE;
  }

  private async remove(id: string): Promise<void> {
    const revocation = await inTransaction(this.dataSource, async (manager) => {
      if ((await many(manager, LOCK_WITHOUT_ACCESS, [id])).length === 0) return undefined;
      const given = await this.revocations.of(manager, id);
      await this.store.remove(manager, id, null);
      return given;
    });
    revocation?.();
  }
}
