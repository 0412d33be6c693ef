import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import type { Columns } from '../../database/columns';
import { newId } from '../../database/id';
import { execute, many } from '../../database/statements';
import { type AnyDomainEvent, recordAll } from '../../events/outbox';
import type { EventTypes } from '../../events/event-types';
import { slugOf } from '../../http/requests/slug';
import { ListingVersion } from './listing-version.entity';
import {
  ARCHIVE_LISTINGS,
  INSERT_LISTING,
  INSERT_VERSION,
  KEEP_ARCHIVED,
  MARK_LATEST,
  PUBLISH_LISTINGS,
  SHOW_LATEST,
  UNMARK_LATEST,
  VERSIONS_OF_LISTINGS,
} from './listing-writer.sql';
import type { Archiver } from './listing.dto';
import type { Listing } from './listing.entity';
import type { ServerDocument } from './server-document';
import { type DeletableVersion, latestToShow } from './server-version';
import type { Visibility } from './visibility';

/** The input for a new listing. */
export interface ListingDraft {
  categoryId: number;
  visibility: Visibility;
  server: ServerDocument;
  orgId: string | null;
  ownerId: string | null;
  slug?: string;
  /** Markdown of the first version. */
  documentation?: string | null;
  /** Whether it belongs to the sample catalogue. */
  isSample?: boolean;
}

/** A version and what belongs to it; neither changes later. */
export interface NewVersion {
  server: ServerDocument;
  /** Markdown. */
  documentation: string | null;
}

/** The columns of a listing that changes to it need. */
export type ListingHead = Pick<Columns<Listing>, 'id' | 'name' | 'org_id' | 'owner_id'>;

/** A value of `changed` in `listing.updated`. */
export type ListingChange = EventTypes['listing.updated']['changed'][number];

/** A listing that was changed, and what `listing.updated` says of it. */
export interface ChangedListing {
  listing: ListingHead;
  changed: ListingChange[];
}

type VersionRow = DeletableVersion & { listing_id: string; is_latest: boolean };

/**
 * Writes listings for people, the sample catalogue and the import. Everything runs in the caller's transaction, and takes
 * the same number of statements for one listing as for a page of them.
 */
@Injectable()
export class ListingWriter {
  /**
   * Inserts a draft with its first version.
   *
   * @returns the listing's id
   * @throws ConflictError (translated) if the owner already has a listing of this name
   */
  async create(manager: EntityManager, draft: ListingDraft): Promise<string> {
    const { categoryId, visibility, server, orgId, ownerId, slug, documentation = null, isSample = false } = draft;
    const id = newId();
    const shown = shownOf(server);
    await execute(manager, INSERT_LISTING, [
      id,
      server.name,
      slug ?? slugOf(server.name) ?? id,
      shown.title,
      shown.description,
      categoryId,
      visibility,
      orgId,
      ownerId,
      shown.repository && JSON.stringify(shown.repository),
      shown.website_url,
      JSON.stringify(shown.icons),
      JSON.stringify(server),
      isSample,
    ]);
    await this.insertVersion(manager, id, { server, documentation }, true);
    return id;
  }

  /**
   * Adds a version. If it is the latest by `latestToShow`, the listing takes its fields.
   *
   * @param listing locked by the caller
   * @returns the changed fields of the listing
   * @throws ConflictError (translated) if the listing already has this version
   */
  async addVersion(manager: EntityManager, listing: ListingHead, version: NewVersion): Promise<ListingChange[]> {
    await this.insertVersion(manager, listing.id, version, false);
    const [settled] = await this.settleLatest(manager, [listing]);
    return settled?.changed ?? [];
  }

  /**
   * Determines the latest version of each listing again (a deleted one only if all are deleted) and copies its fields to
   * the listing.
   *
   * @param listings locked by the caller
   * @returns the listings whose latest version changed, and their changed fields
   */
  async settleLatest(manager: EntityManager, listings: readonly ListingHead[]): Promise<ChangedListing[]> {
    if (listings.length === 0) return [];
    const ids = listings.map(({ id }) => id);
    const versions = await many<VersionRow>(manager, VERSIONS_OF_LISTINGS, [ids]);
    const byListing = new Map<string, VersionRow[]>(ids.map((id) => [id, []]));
    for (const version of versions) byListing.get(version.listing_id)?.push(version);
    const moved = [...byListing.values()].flatMap((ofListing) => {
      const latest = latestToShow(ofListing);
      return latest && !latest.is_latest ? [latest] : [];
    });
    if (moved.length === 0) return [];
    const movedIds = moved.map(({ listing_id }) => listing_id);
    // Two statements, as a listing must never have two latest versions, not even within one.
    await execute(manager, UNMARK_LATEST, [movedIds]);
    const marked = await many<{ listing_id: string; server: ServerDocument }>(manager, MARK_LATEST, [
      movedIds,
      moved.map(({ version }) => version),
    ]);
    const shown = marked.map(({ listing_id, server }) => ({ id: listing_id, ...shownOf(server), server }));
    const rows = await many<{ id: string; changed: ListingChange[] }>(manager, SHOW_LATEST, [JSON.stringify(shown)]);
    const changes = new Map(rows.map(({ id, changed }) => [id, changed]));
    return listings.flatMap((listing) => {
      const changed = changes.get(listing.id);
      return changed ? [{ listing, changed: [...changed, 'version' as const] }] : [];
    });
  }

  /**
   * DRAFT or ARCHIVED → PUBLISHED; records `listing.published`.
   *
   * @throws ConflictError (translated) if one is PUBLIC and another public listing has its name
   */
  async publish(manager: EntityManager, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.recordPublished(manager, await many<ListingHead>(manager, PUBLISH_LISTINGS, [ids]));
  }

  /** Records `listing.published` for listings that were created as published ones. */
  async recordPublished(manager: EntityManager, listings: readonly ListingHead[]): Promise<void> {
    await recordAll(manager, listings.map(published));
  }

  /** PUBLISHED → ARCHIVED; records `listing.archived`. Bundles keep their entries, marked unavailable. */
  async archive(
    manager: EntityManager,
    ids: readonly string[],
    by: Archiver,
    reason: string | null = null,
  ): Promise<void> {
    if (ids.length === 0) return;
    const values = [ids, by === 'IMPORT', by === 'PLATFORM', reason];
    await recordAll(manager, (await many<ListingHead>(manager, ARCHIVE_LISTINGS, values)).map(archived(by, reason)));
  }

  /** Keeps an archived listing from being published by its owner; records `listing.archived` with the reason. */
  async keepArchived(manager: EntityManager, id: string, reason: string): Promise<void> {
    const kept = await many<ListingHead>(manager, KEEP_ARCHIVED, [id, reason]);
    await recordAll(manager, kept.map(archived('PLATFORM', reason)));
  }

  /** Records `listing.updated` for each listing of which anything is different. */
  async recordUpdated(manager: EntityManager, changedListings: readonly ChangedListing[]): Promise<void> {
    const updated = changedListings.filter(({ changed }) => changed.length > 0);
    if (updated.length === 0) return;
    const latest = await manager.getRepository(ListingVersion).find({
      select: { listingId: true, version: true },
      where: { listingId: In(updated.map(({ listing }) => listing.id)), isLatest: true },
    });
    const versions = new Map(latest.map(({ listingId, version }) => [listingId, version]));
    await recordAll(
      manager,
      updated.map(({ listing: { id, name, org_id, owner_id }, changed }) => ({
        type: 'listing.updated',
        orgId: org_id,
        ownerId: owner_id,
        data: { listing_id: id, name, version: versions.get(id) ?? '', changed, org_id },
      })),
    );
  }

  /** A version that is created here is active, and counts as published with its listing. */
  private async insertVersion(
    manager: EntityManager,
    listingId: string,
    { server, documentation }: NewVersion,
    isLatest: boolean,
  ): Promise<void> {
    await execute(manager, INSERT_VERSION, [
      listingId,
      server.version,
      JSON.stringify(server),
      isLatest,
      'active',
      null,
      null,
      null,
      documentation,
    ]);
  }
}

/** The fields that a listing copies from its latest document, by column. */
function shownOf(server: ServerDocument) {
  return {
    title: server.title ?? server.name,
    description: server.description,
    repository: repositoryOf(server),
    website_url: server.websiteUrl ?? null,
    icons: server.icons ?? [],
  };
}

/** Well-known publishers send an empty repository by mistake; it means none. */
function repositoryOf({ repository }: ServerDocument): ServerDocument['repository'] | null {
  return repository && Object.keys(repository).length > 0 ? repository : null;
}

function published({ id, name, org_id, owner_id }: ListingHead): AnyDomainEvent {
  return { type: 'listing.published', orgId: org_id, ownerId: owner_id, data: { listing_id: id, name, org_id } };
}

function archived(by: Archiver, reason: string | null) {
  return ({ id, name, org_id, owner_id }: ListingHead): AnyDomainEvent => ({
    type: 'listing.archived',
    orgId: org_id,
    ownerId: owner_id,
    data: { listing_id: id, name, archived_by: by, reason, org_id },
  });
}
