import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Columns } from '../../database/columns';
import { newId } from '../../database/id';
import { execute, many, maybe, one } from '../../database/statements';
import { record } from '../../events/outbox';
import type { EventTypes } from '../../events/event-types';
import { slugOf } from '../../http/requests/slug';
import { ListingVersion } from './listing-version.entity';
import type { Listing } from './listing.entity';
import type { ServerDocument } from './server-document';
import { type DatedVersion, latestOf } from './server-version';
import type { Visibility } from './visibility';

/** The input for a new listing. */
export interface ListingDraft {
  categoryId: number;
  visibility: Visibility;
  server: ServerDocument;
  orgId: string | null;
  ownerId: string | null;
  slug?: string;
  /** Whether it belongs to the sample catalogue. */
  isSample?: boolean;
}

/** A version's state at its source. A version created here is active and is published with its listing. */
export interface VersionState {
  status: 'active' | 'deprecated' | 'deleted';
  statusMessage: string | null;
  statusChangedAt: Date | null;
  publishedAt: Date | null;
}

/** The columns of a listing that changes to it need. */
export type ListingHead = Pick<Columns<Listing>, 'id' | 'name' | 'org_id' | 'owner_id'>;

/** A value of `changed` in `listing.updated`. */
export type ListingChange = EventTypes['listing.updated']['changed'][number];

/** Writes to listings shared by users, the sample catalogue and imports. All run in the caller's transaction. */
@Injectable()
export class ListingWriter {
  /**
   * Inserts a draft with its first version.
   *
   * @returns the listing's id
   * @throws ConflictError (translated) if the owner has a listing with this name
   */
  async create(manager: EntityManager, draft: ListingDraft, state?: VersionState): Promise<string> {
    const { categoryId, visibility, server, orgId, ownerId, slug, isSample = false } = draft;
    const id = newId();
    await execute(
      manager,
      `INSERT INTO listings (id, name, slug, title, description, category_id, visibility, org_id, owner_id,
                             repository, website_url, icons, transports, registry_types, is_sample)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, server_transports($13), server_registry_types($13), $14)`,
      [
        id,
        server.name,
        slug ?? slugOf(server.name) ?? id,
        ...shownOf(server).slice(0, 2),
        categoryId,
        visibility,
        orgId,
        ownerId,
        ...shownOf(server).slice(2),
        JSON.stringify(server),
        isSample,
      ],
    );
    await this.insertVersion(manager, id, server, true, state);
    return id;
  }

  /**
   * Adds a version. If it is the latest by `latestOf`, the listing takes its fields.
   *
   * @param listing locked by the caller
   * @returns the changed fields of the listing
   * @throws ConflictError (translated) if the listing already has this version
   */
  async addVersion(
    manager: EntityManager,
    listing: ListingHead,
    server: ServerDocument,
    state?: VersionState,
  ): Promise<ListingChange[]> {
    await this.insertVersion(manager, listing.id, server, false, state);
    return this.settleLatest(manager, listing);
  }

  /**
   * Determines the latest version again (a deleted one only if all are deleted) and copies its fields to the listing.
   *
   * @returns the changed fields of the listing
   */
  async settleLatest(manager: EntityManager, listing: ListingHead): Promise<ListingChange[]> {
    const rows = await many<DatedVersion & { is_latest: boolean; deleted: boolean }>(
      manager,
      `SELECT version, coalesce(published_at, created_at) AS date, is_latest, status = 'deleted' AS deleted
       FROM listing_versions WHERE listing_id = $1`,
      [listing.id],
    );
    const available = rows.filter(({ deleted }) => !deleted);
    const latest = latestOf(available.length > 0 ? available : rows);
    if (!latest || latest.is_latest) return [];
    await execute(manager, `UPDATE listing_versions SET is_latest = false WHERE listing_id = $1 AND is_latest`, [
      listing.id,
    ]);
    const { server } = await one<{ server: ServerDocument }>(
      manager,
      `UPDATE listing_versions SET is_latest = true WHERE listing_id = $1 AND version = $2 RETURNING server`,
      [listing.id, latest.version],
    );
    return this.show(manager, listing, server);
  }

  /**
   * DRAFT or ARCHIVED → PUBLISHED; records `listing.published`.
   *
   * @throws ConflictError (translated) if it is PUBLIC and another public listing has its name
   */
  async publish(manager: EntityManager, id: string): Promise<void> {
    const listing = await maybe<ListingHead>(
      manager,
      `UPDATE listings SET status = 'PUBLISHED', published_at = now(), archived_at = NULL, archived_by_import = false, updated_at = now()
       WHERE id = $1 AND status <> 'PUBLISHED' RETURNING id, name, org_id, owner_id`,
      [id],
    );
    if (listing) await recordChange(manager, 'listing.published', listing);
  }

  /** Records `listing.published` for a listing that was created as published. */
  tellPublished(manager: EntityManager, listing: ListingHead): Promise<void> {
    return recordChange(manager, 'listing.published', listing);
  }

  /** PUBLISHED → ARCHIVED; records `listing.archived`. Bundles keep their entries, marked unavailable. */
  async archive(manager: EntityManager, id: string, byImport = false): Promise<void> {
    const listing = await maybe<ListingHead>(
      manager,
      `UPDATE listings SET status = 'ARCHIVED', archived_at = now(), archived_by_import = $2, updated_at = now()
       WHERE id = $1 AND status = 'PUBLISHED' RETURNING id, name, org_id, owner_id`,
      [id, byImport],
    );
    if (listing) await recordChange(manager, 'listing.archived', listing);
  }

  /** Records `listing.updated`, if anything changed. */
  async tellUpdated(manager: EntityManager, listing: ListingHead, changed: ListingChange[]): Promise<void> {
    if (changed.length === 0) return;
    const latest = await manager
      .getRepository(ListingVersion)
      .findOne({ select: { version: true }, where: { listingId: listing.id, isLatest: true } });
    await record(manager, {
      type: 'listing.updated',
      orgId: listing.org_id,
      ownerId: listing.owner_id,
      data: {
        listing_id: listing.id,
        name: listing.name,
        version: latest?.version ?? '',
        changed,
        org_id: listing.org_id,
      },
    });
  }

  private async insertVersion(
    manager: EntityManager,
    listingId: string,
    server: ServerDocument,
    isLatest: boolean,
    state?: VersionState,
  ): Promise<void> {
    await execute(
      manager,
      `INSERT INTO listing_versions
         (listing_id, version, server, is_latest, status, status_message, status_changed_at, published_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        listingId,
        server.version,
        JSON.stringify(server),
        isLatest,
        state?.status ?? 'active',
        state?.statusMessage ?? null,
        state?.statusChangedAt ?? null,
        state?.publishedAt ?? null,
      ],
    );
  }

  private async show(manager: EntityManager, { id }: ListingHead, server: ServerDocument): Promise<ListingChange[]> {
    const { changed } = await one<{ changed: ListingChange[] }>(
      manager,
      `UPDATE listings
       SET title = $2, description = $3, repository = $4, website_url = $5, icons = $6, updated_at = now(),
           transports = server_transports($7), registry_types = server_registry_types($7)
       FROM (SELECT * FROM listings WHERE id = $1) AS before
       WHERE listings.id = before.id
       RETURNING array_remove(ARRAY[
         CASE WHEN before.title <> listings.title THEN 'title' END,
         CASE WHEN before.description <> listings.description THEN 'description' END,
         CASE WHEN before.repository IS DISTINCT FROM listings.repository THEN 'repository' END,
         CASE WHEN before.website_url IS DISTINCT FROM listings.website_url THEN 'website_url' END,
         CASE WHEN before.icons <> listings.icons THEN 'icons' END], NULL) AS changed`,
      [id, ...shownOf(server), JSON.stringify(server)],
    );
    return [...changed, 'version'];
  }
}

/** The fields that a listing copies from its latest document: title, description, repository, website, icons. */
function shownOf(server: ServerDocument): [string, string, string | null, string | null, string] {
  return [
    server.title ?? server.name,
    server.description,
    repositoryOf(server),
    server.websiteUrl ?? null,
    JSON.stringify(server.icons ?? []),
  ];
}

/** Well-known publishers send an empty repository by mistake; it means none. */
function repositoryOf({ repository }: ServerDocument): string | null {
  return repository && Object.keys(repository).length > 0 ? JSON.stringify(repository) : null;
}

async function recordChange(
  manager: EntityManager,
  type: 'listing.published' | 'listing.archived',
  { id, name, org_id, owner_id }: ListingHead,
): Promise<void> {
  await record(manager, { type, orgId: org_id, ownerId: owner_id, data: { listing_id: id, name, org_id } });
}
