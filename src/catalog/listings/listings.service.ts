import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { execute, many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, ValidationError, requireFound } from '../../errors/errors';
import { ErrorCode } from '../catalog.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { Memberships } from '../../organisations/members/memberships.service';
import { requireOpenAccount } from '../../users/open-account';
import {
  ListingArchive,
  ListingCreate,
  ListingDetailOut,
  ListingRow,
  ListingUpdate,
  ListingVersionAdd,
  ListingVersionDetailOut,
  ListingVersionDetailRow,
  ListingVersionOut,
  ListingVersionRow,
  toListingDetail,
  toListingVersion,
  toListingVersionDetail,
} from './listing.dto';
import { Listing } from './listing.entity';
import { requireRoomForDraft, requireRoomForVersion } from './listing-caps';
import { type FoundRow, ListingFinder } from './listing-finder';
import { type ListingChange, ListingWriter } from './listing-writer';
import { isPublic, Publication } from './publication';
import { adoptSamples, SampleHeirs } from './sample-heirs';
import { RegistryChanges } from '../registry-changes';

const VERSIONS = 'listing versions';

/**
 * $1 listing, $2 and $3 the date and version of the last row of the previous page, $4 the number of rows. Newest first.
 */
const LIST_VERSIONS = `
  SELECT version AS id, version, is_latest, status, status_message, published_at, created_at
  FROM listing_versions
  WHERE listing_id = $1 AND ($2::timestamptz IS NULL OR (created_at, version COLLATE "C") < ($2, $3))
  ORDER BY created_at DESC, version COLLATE "C" DESC LIMIT $4`;

/** Single listings and their life cycle from draft to archive (contract, section 5). */
@Injectable()
export class ListingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: ListingFinder,
    private readonly writer: ListingWriter,
    private readonly publication: Publication,
    private readonly heirs: SampleHeirs,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
    private readonly environment: Environment,
    private readonly registry: RegistryChanges,
  ) {}

  /** @throws NotFoundError, also if the caller may not see the listing */
  async get(caller: Caller, id: string): Promise<ListingDetailOut> {
    return toListingDetail(await this.finder.readable(this.dataSource.manager, caller, id));
  }

  /**
   * For other modules: a listing that the caller can see.
   *
   * @throws NotFoundError
   */
  findVisible(manager: EntityManager, caller: Caller, id: string): Promise<ListingRow> {
    return this.finder.readable(manager, caller, id);
  }

  /**
   * Creates a draft. Every member may create drafts for an organisation, and every user personal ones.
   *
   * @throws NotFoundError if the caller is not a member of the organisation; ConflictError if the owner has a listing
   *   with this name or has reached a cap; ValidationError if the category does not exist
   */
  async create(caller: Caller, input: ListingCreate): Promise<ListingDetailOut> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      if (input.org_id) await this.memberships.require(caller, input.org_id, 'MEMBER', manager);
      const owner = { orgId: input.org_id ?? null, userId: caller.userId };
      await requireRoomForDraft(manager, this.environment.limits, owner);
      const id = await this.writer.create(manager, {
        categoryId: await categoryId(manager, input.category),
        visibility: input.visibility ?? 'PRIVATE',
        server: input.server,
        orgId: input.org_id ?? null,
        ownerId: caller.userId,
        slug: input.slug ?? undefined,
        documentation: input.documentation,
      });
      return toListingDetail(await this.finder.readable(manager, caller, id));
    });
  }

  /**
   * Changes the fields that do not come from the document. An absent or null field keeps its value.
   *
   * @throws NotFoundError, ForbiddenError; if it becomes public, DomainError `namespace_required` if its owner does not
   *   hold the namespace and ConflictError if the name is taken; ValidationError if the category does not exist
   */
  async update(caller: Caller, id: string, { category, visibility, slug }: ListingUpdate): Promise<ListingDetailOut> {
    return this.registry.change(async (manager) => {
      const listing = await this.finder.modifiable(manager, caller, id);
      const changed: ListingChange[] = [];
      if (category && category !== listing.category) changed.push('category');
      if (visibility && visibility !== listing.visibility) {
        requireUnkept(caller, listing);
        changed.push('visibility');
      }
      if (changed.length === 0 && (!slug || slug === listing.slug)) return toListingDetail(listing);
      const after = { status: listing.status, visibility: visibility ?? listing.visibility };
      if (isPublic(after) && !isPublic(listing)) await this.publication.admit(manager, caller, listing);
      await manager.getRepository(Listing).update(
        { id: listing.id },
        {
          categoryId: category ? await categoryId(manager, category) : undefined,
          visibility: visibility ?? undefined,
          slug: slug ?? undefined,
        },
      );
      await this.writer.recordUpdated(manager, [{ listing, changed }]);
      return toListingDetail(await this.finder.changed(manager, caller, id));
    });
  }

  /**
   * Adds an immutable version. The listing shows the latest one by precedence, not the one added last.
   *
   * The first version that is added to a sample listing replaces the sample's own versions.
   *
   * @throws NotFoundError, ForbiddenError; DomainError `namespace_required` for a public listing whose owner does not
   *   hold the namespace; ConflictError if the listing already has this version or has reached the cap; ValidationError
   *   if the document has another name
   */
  async addVersion(caller: Caller, id: string, input: ListingVersionAdd): Promise<ListingDetailOut> {
    const { server, documentation = null } = input;
    return this.registry.change(async (manager) => {
      const listing = await this.finder.modifiable(manager, caller, id);
      if (server.name !== listing.name) {
        throw new ValidationError([
          {
            loc: ['body', 'server', 'name'],
            msg: `Must be ${listing.name}, the name of the listing.`,
            type: 'value_error',
          },
        ]);
      }
      await requireRoomForVersion(manager, this.environment.limits, listing.id);
      if (isPublic(listing)) await this.publication.requireNamespace(manager, caller, listing);
      const adopted = await adoptSamples(manager, [listing.id]);
      const changed = await this.writer.addVersion(manager, listing, { server, documentation });
      if (adopted.length > 0) await this.heirs.settleAdopted(manager, listing);
      await this.writer.recordUpdated(manager, [{ listing, changed }]);
      return toListingDetail(await this.finder.readable(manager, caller, id));
    });
  }

  /** Newest first. @throws NotFoundError */
  async versions(caller: Caller, id: string, query: PageQuery): Promise<Page<ListingVersionOut>> {
    const page = this.pages.open(VERSIONS, query, { listing: id });
    const listing = await this.finder.readable(this.dataSource.manager, caller, id);
    const [date = null, version = null] = page.position<[string, string]>() ?? [];
    const rows = await many<ListingVersionRow>(this.dataSource, LIST_VERSIONS, [listing.id, date, version, page.take]);
    return page.close(rows, toListingVersion, (row) => [row.created_at, row.version]);
  }

  /** @throws NotFoundError for the listing or the version */
  async version(caller: Caller, id: string, version: string): Promise<ListingVersionDetailOut> {
    const listing = await this.finder.readable(this.dataSource.manager, caller, id);
    const found = await maybe<ListingVersionDetailRow>(
      this.dataSource,
      `SELECT version AS id, version, is_latest, status, status_message, published_at, created_at, server, documentation
       FROM listing_versions WHERE listing_id = $1 AND version = $2`,
      [listing.id, version],
    );
    return toListingVersionDetail(requireFound(found, ErrorCode.ListingVersionNotFound, version));
  }

  /**
   * DRAFT or ARCHIVED → PUBLISHED; does nothing if it is already published.
   *
   * @throws NotFoundError, ForbiddenError; if it is PUBLIC, DomainError `namespace_required`, and ConflictError if its
   *   name is taken
   */
  publish(caller: Caller, id: string): Promise<ListingDetailOut> {
    return this.transition(caller, id, async (manager, listing) => {
      if (listing.status !== 'PUBLISHED') await this.publishListing(manager, caller, listing);
    });
  }

  /**
   * PUBLISHED → ARCHIVED. Does nothing if it is already archived, unless a platform administrator says why it stays so.
   *
   * @throws NotFoundError, ForbiddenError; ConflictError for a draft
   */
  archive(caller: Caller, id: string, { reason = null }: ListingArchive): Promise<ListingDetailOut> {
    return this.transition(caller, id, async (manager, listing) => {
      const { id: listingId, status } = listing;
      if (status === 'DRAFT') throw conflict('A draft cannot be archived. Publish or delete it.');
      const by = listing.is_of_caller ? 'OWNER' : 'PLATFORM';
      await this.writer.archive(manager, [listingId], by, reason);
      const isSaid = isKept(listing) && listing.archive_reason === reason;
      if (status === 'ARCHIVED' && by === 'PLATFORM' && reason !== null && !isSaid)
        await this.writer.keepArchived(manager, listingId, reason);
      // From now on a user has archived it, even if an import had done so before.
      await execute(manager, `UPDATE listings SET archived_by_import = false WHERE id = $1 AND archived_by_import`, [
        listingId,
      ]);
    });
  }

  /**
   * ARCHIVED → PUBLISHED.
   *
   * @throws NotFoundError, ForbiddenError; ConflictError if it is not archived, or platform administrators keep it so; if
   *   it is PUBLIC, DomainError `namespace_required`
   */
  restore(caller: Caller, id: string): Promise<ListingDetailOut> {
    return this.transition(caller, id, async (manager, listing) => {
      if (listing.status !== 'ARCHIVED') {
        throw conflict(`Only an archived listing can be restored; this one is ${listing.status}.`);
      }
      await this.publishListing(manager, caller, listing);
    });
  }

  /**
   * Deletes a draft. A listing that was ever published can only be archived, because others may refer to it.
   *
   * @throws NotFoundError, ForbiddenError; ConflictError if it is not a draft
   */
  async remove(caller: Caller, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const listing = await this.finder.modifiable(manager, caller, id);
      if (listing.status !== 'DRAFT') {
        throw conflict(`Only a draft can be deleted; this listing is ${listing.status}. Archive it instead.`);
      }
      await manager.getRepository(Listing).delete({ id: listing.id });
    });
  }

  private async publishListing(manager: EntityManager, caller: Caller, listing: FoundRow): Promise<void> {
    requireUnkept(caller, listing);
    if (listing.visibility === 'PUBLIC') await this.publication.admit(manager, caller, listing);
    await this.writer.publish(manager, [listing.id]);
  }

  private async transition(
    caller: Caller,
    id: string,
    apply: (manager: EntityManager, listing: FoundRow) => Promise<void>,
  ): Promise<ListingDetailOut> {
    return this.registry.change(async (manager) => {
      await apply(manager, await this.finder.modifiable(manager, caller, id));
      return toListingDetail(await this.finder.changed(manager, caller, id));
    });
  }
}

/** Whether platform administrators have said why it is archived. */
function isKept(listing: ListingRow): boolean {
  return listing.archived_by === 'PLATFORM' && listing.archive_reason !== null;
}

/** @throws ConflictError if platform administrators keep the listing archived, and the caller is none */
function requireUnkept({ isPlatformAdmin }: Caller, listing: ListingRow): void {
  if (isPlatformAdmin || !isKept(listing)) return;
  throw conflict(
    `A platform administrator has archived it: ${listing.archive_reason} Only platform administrators can restore it.`,
  );
}

function conflict(detail: string): ConflictError {
  return new ConflictError(ErrorCode.ListingConflict, detail);
}

async function categoryId(manager: EntityManager, slug: string): Promise<number> {
  // Shared lock: the category must not be deleted while a listing is added to it.
  const row = await maybe<{ id: number }>(manager, `SELECT id FROM categories WHERE slug = $1 FOR KEY SHARE`, [slug]);
  if (row) return row.id;
  throw new ValidationError([
    { loc: ['body', 'category'], msg: `The category "${slug}" does not exist.`, type: 'value_error' },
  ]);
}
