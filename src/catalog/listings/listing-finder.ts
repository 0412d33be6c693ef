import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { execute, maybe } from '../../database/statements';
import { ErrorCode } from '../catalog.errors';
import { ForbiddenError, NotFoundError } from '../../errors/errors';
import type { ListingRow } from './listing.dto';
import { belongsTo, IS_PUBLIC_LISTING } from './listing-visibility.sql';

export const LISTING_COLUMNS = `
  listings.id, listings.name, listings.slug, listings.title, listings.description, categories.slug AS category,
  listings.status, listings.visibility, listings.org_id, listings.owner_id, listings.repository, listings.website_url,
  listings.icons, listings.transports, listings.registry_types, listings.published_at, listings.archived_at,
  listings.created_at, listings.updated_at, latest.version`;

export const LISTING_JOINS = `
  JOIN categories ON categories.id = listings.category_id
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest`;

/**
 * What a person ($2) may do with the listing ($1), in the words of section 4 of the contract: a personal one is its
 * owner's; one of an organisation is its ADMINs' and OWNERs', and the MEMBERs' as long as it is a draft of theirs. A
 * platform administrator ($3) moderates what is or was public, and what belongs to the platform.
 */
const FIND = `
  SELECT ${LISTING_COLUMNS}, latest.server,
         ${IS_PUBLIC_LISTING} OR ${belongsTo('$2')} OR ($3 AND listings.org_id IS NULL AND listings.owner_id IS NULL)
           OR ($3 AND listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT') AS may_read,
         COALESCE(CASE WHEN listings.org_id IS NULL THEN listings.owner_id = $2
              ELSE member.role IN ('ADMIN', 'OWNER')
                OR (member.role = 'MEMBER' AND listings.owner_id = $2 AND listings.status = 'DRAFT') END, false)
           OR ($3 AND listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT')
           OR ($3 AND listings.org_id IS NULL AND listings.owner_id IS NULL) AS may_modify
  FROM listings ${LISTING_JOINS}
  LEFT JOIN memberships AS member ON member.org_id = listings.org_id AND member.user_id = $2
  WHERE listings.id = $1`;

type FoundRow = ListingRow & { may_read: boolean; may_modify: boolean };

/** The only way to a listing by its id: with the caller. */
@Injectable()
export class ListingFinder {
  /** @throws NotFoundError, also for one that the caller may not see */
  readable(manager: EntityManager, caller: Caller, id: string): Promise<ListingRow> {
    return this.find(manager, caller, id);
  }

  /**
   * Also locks the listing until the end of the transaction, so that changes to it follow one another.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the listing but may not modify it
   */
  async modifiable(manager: EntityManager, caller: Caller, id: string): Promise<ListingRow> {
    // In a statement of its own: the one that waits for a lock sees its other tables as they were before the wait.
    await execute(manager, `SELECT 1 FROM listings WHERE id = $1 FOR NO KEY UPDATE`, [id]);
    const found = await this.find(manager, caller, id);
    if (found.may_modify) return found;
    throw new ForbiddenError(
      'Only the owner, or an ADMIN or OWNER of the organisation, can change this listing; a MEMBER can change only their own drafts.',
    );
  }

  /** One that the caller has just changed, even if the change itself has hidden it from them. */
  async changed(manager: EntityManager, caller: Caller, id: string): Promise<ListingRow> {
    const row = await maybe<FoundRow>(manager, FIND, [id, caller.userId, caller.isPlatformAdmin]);
    if (!row) throw new NotFoundError(ErrorCode.ListingNotFound, id);
    return row;
  }

  private async find(manager: EntityManager, caller: Caller, id: string): Promise<FoundRow> {
    const row = await maybe<FoundRow>(manager, FIND, [id, caller.userId, caller.isPlatformAdmin]);
    if (!row || !(row.may_read || row.may_modify)) throw new NotFoundError(ErrorCode.ListingNotFound, id);
    return row;
  }
}
