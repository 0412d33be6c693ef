import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { PreparedStatement } from '../../database/prepared';
import { execute, maybe } from '../../database/statements';
import { ErrorCode } from '../catalog.errors';
import { ForbiddenError, NotFoundError, requireFound } from '../../errors/errors';
import type { ListedRow, ListingRow } from './listing.dto';
import { belongsTo, IS_PUBLIC_LISTING } from './listing-visibility.sql';

/** `bad_icons` are those of its icons at whose addresses no picture was, found by the primary key; null: it has none. */
export const LISTING_COLUMNS = `
  listings.id, listings.name, listings.slug, listings.title, listings.description, categories.slug AS category,
  categories.name AS category_name,
  listings.status, listings.visibility, listings.org_id, listings.owner_id, listings.repository, listings.website_url,
  listings.icons, listings.transports, listings.registry_types, listings.published_at, listings.archived_at,
  CASE WHEN listings.status <> 'ARCHIVED' THEN NULL WHEN listings.archived_by_platform THEN 'PLATFORM'
       WHEN listings.archived_by_import THEN 'IMPORT' ELSE 'OWNER' END AS archived_by,
  CASE WHEN listings.status = 'ARCHIVED' THEN listings.archive_reason END AS archive_reason,
  listings.created_at, listings.updated_at, listings.rating_count, listings.rating_mean, latest.version,
  CASE WHEN listings.icons <> '[]' THEN NULLIF(ARRAY(SELECT bad.src FROM jsonb_array_elements(listings.icons) AS icon CROSS JOIN LATERAL (
    SELECT src FROM fetched_icons
    WHERE src = icon.value ->> 'src' AND failure IS NOT NULL AND due_at > now() OFFSET 0) AS bad), '{}') END AS bad_icons`;

export const LISTING_JOINS = `
  JOIN categories ON categories.id = listings.category_id
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest`;

/**
 * What a user ($2) may do with the listing ($1), as in section 4 of the contract: a personal listing belongs to its
 * owner; an organisation's listing to its ADMINs and OWNERs, and to a MEMBER while it is their own draft. A platform
 * administrator ($3) moderates listings that are or were public, and those of the platform.
 */
const RIGHTS = `
  ${IS_PUBLIC_LISTING} OR ${belongsTo('$2')} OR ($3 AND listings.org_id IS NULL AND listings.owner_id IS NULL)
    OR ($3 AND listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT') AS may_read,
  COALESCE(CASE WHEN listings.org_id IS NULL THEN listings.owner_id = $2
       ELSE member.role IN ('ADMIN', 'OWNER')
         OR (member.role = 'MEMBER' AND listings.owner_id = $2 AND listings.status = 'DRAFT') END, false)
    OR ($3 AND listings.org_id IS NULL AND listings.owner_id IS NULL) AS is_of_caller,
  $3 AND listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT' AS may_moderate`;

const OF_ID = `
  FROM listings ${LISTING_JOINS}
  LEFT JOIN memberships AS member ON member.org_id = listings.org_id AND member.user_id = $2
  WHERE listings.id = $1`;

const FIND: PreparedStatement = {
  name: 'listing by id',
  sql: `SELECT ${LISTING_COLUMNS}, latest.server, latest.documentation, ${RIGHTS} ${OF_ID}`,
};

/** Without the texts of the version, which may have 192 KiB. */
const FIND_LISTED: PreparedStatement = {
  name: 'listed listing by id',
  sql: `SELECT ${LISTING_COLUMNS}, ${RIGHTS} ${OF_ID}`,
};

interface Rights {
  may_read: boolean;
  /** Because it belongs to the caller, to an organisation that they administer, or to the platform. */
  is_of_caller: boolean;
  /** As a platform administrator, of any owner. */
  may_moderate: boolean;
}

/** A listing with what the caller may do with it. */
export type FoundRow = ListingRow & Rights;

/** Finds listings by id, always on behalf of a caller. Nothing else may read a listing by its id. */
@Injectable()
export class ListingFinder {
  /** @throws NotFoundError, also if the caller may not see the listing */
  readable(manager: EntityManager, caller: Caller, id: string): Promise<ListingRow> {
    return this.find(manager, caller, id);
  }

  /**
   * Locks the listing until the end of the transaction, which serialises changes to it. A separate statement: one that
   * waits for a lock reads other tables as they were before the wait.
   */
  async hold(manager: EntityManager, id: string): Promise<void> {
    await execute(manager, `SELECT 1 FROM listings WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  }

  /** What lists show of it. @throws NotFoundError, also if the caller may not see the listing */
  async listed(manager: EntityManager, caller: Caller, id: string): Promise<ListedRow> {
    const row = await maybe<ListedRow & Rights>(manager, FIND_LISTED, [id, caller.userId, caller.isPlatformAdmin]);
    return requireSeen(row, id);
  }

  /** The same, and locks the listing. */
  async held(manager: EntityManager, caller: Caller, id: string): Promise<ListedRow> {
    await this.hold(manager, id);
    return this.listed(manager, caller, id);
  }

  /**
   * Also locks the listing.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the listing but may not modify it
   */
  async modifiable(manager: EntityManager, caller: Caller, id: string): Promise<FoundRow> {
    await this.hold(manager, id);
    const row = await this.find(manager, caller, id);
    if (row.is_of_caller || row.may_moderate) return row;
    throw new ForbiddenError(
      'Only the owner, or an ADMIN or OWNER of the organisation, can change this listing; a MEMBER can change only their own drafts.',
    );
  }

  /** A listing that the caller has just changed, even if the change hides it from them. */
  async changed(manager: EntityManager, caller: Caller, id: string): Promise<ListingRow> {
    const row = await maybe<FoundRow>(manager, FIND, [id, caller.userId, caller.isPlatformAdmin]);
    return requireFound(row, ErrorCode.ListingNotFound, id);
  }

  private async find(manager: EntityManager, caller: Caller, id: string): Promise<FoundRow> {
    return requireSeen(await maybe<FoundRow>(manager, FIND, [id, caller.userId, caller.isPlatformAdmin]), id);
  }
}

function requireSeen<Row extends Rights>(row: Row | undefined, id: string): Row {
  if (!row || !(row.may_read || row.is_of_caller)) throw new NotFoundError(ErrorCode.ListingNotFound, id);
  return row;
}
