import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { ErrorCode, ForbiddenError, NotFoundError } from '../http/errors';
import type { BundleRow } from './bundle.dto';

/**
 * What a person ($2) may do with the bundle ($1), in the words of section 4 of the contract. A personal bundle is its
 * owner's and its editors'; a bundle of an organisation is modified by ADMINs and OWNERs, and by the MEMBERs who own or
 * edit it: whoever has left the organisation neither owns nor edits its bundles any more.
 */
const FIND = `
  SELECT bundles.*,
         bundles.visibility = 'PUBLIC' OR member.role IS NOT NULL OR (bundles.org_id IS NULL AND own.own) AS may_read,
         CASE WHEN bundles.org_id IS NULL THEN own.own
              ELSE COALESCE(member.role IN ('ADMIN', 'OWNER') OR (member.role = 'MEMBER' AND own.own), false) END AS may_modify
  FROM bundles
  LEFT JOIN memberships AS member ON member.org_id = bundles.org_id AND member.user_id = $2
  CROSS JOIN LATERAL (
    SELECT bundles.owner_id = $2 OR EXISTS (
      SELECT 1 FROM bundle_editors WHERE bundle_editors.bundle_id = bundles.id AND bundle_editors.user_id = $2) AS own
  ) AS own
  WHERE bundles.id = $1`;

interface FoundRow extends BundleRow {
  may_read: boolean;
  may_modify: boolean;
}

/** The only way to a bundle by its id: with the caller. */
@Injectable()
export class BundleFinder {
  /** @throws NotFoundError, also for one that the caller may not see */
  async readable(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    return this.find(manager, caller, id, '');
  }

  /**
   * Also locks the bundle until the end of the transaction, so that changes to it follow one another.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the bundle but may not modify it
   */
  async modifiable(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    const found = await this.find(manager, caller, id, 'FOR UPDATE OF bundles');
    if (!found.may_modify)
      throw new ForbiddenError('You may see this bundle, but only its owner and editors may change it.');
    return found;
  }

  private async find(manager: EntityManager, caller: Caller, id: string, lock: string): Promise<FoundRow> {
    const [row] = await manager.query<FoundRow[]>(`${FIND} ${lock}`, [id, caller.userId]);
    if (!row || !(row.may_read || row.may_modify)) throw new NotFoundError(ErrorCode.BundleNotFound, id);
    return row;
  }
}
