import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { newId } from '../database/id';
import { record } from '../events/outbox';
import { ErrorCode, NotFoundError } from '../http/errors';
import { Page, Pages } from '../http/page';
import { slugOf } from '../http/slug';
import { ListingDetailOut, ListingOut, ListingQuery, ListingRow, toListing, toListingDetail } from './listing.dto';
import { belongsTo, IS_PUBLIC_LISTING } from './listing-visibility.sql';
import type { ServerDocument } from './server-document';
import type { Visibility } from './visibility';

const LIST = 'listings';

const COLUMNS = `
  listings.id, listings.name, listings.slug, listings.title, listings.description, categories.slug AS category,
  listings.status, listings.visibility, listings.org_id, listings.owner_id, listings.repository, listings.website_url,
  listings.icons, listings.published_at, listings.archived_at, listings.created_at, listings.updated_at,
  latest.version`;

const JOINS = `
  JOIN categories ON categories.id = listings.category_id
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest`;

/** The public catalogue, newest first. */
const LIST_PUBLIC = `
  SELECT ${COLUMNS} FROM listings ${JOINS}
  WHERE ${IS_PUBLIC_LISTING}
    AND ($1::uuid IS NULL OR listings.id < $1)
    AND ($2::text IS NULL OR listings.category_id = (SELECT id FROM categories WHERE slug = $2))
  ORDER BY listings.id DESC LIMIT $3`;

/** $1 listing, $2 person. What one may not see is not found. */
const FIND_VISIBLE = `
  SELECT ${COLUMNS}, latest.server FROM listings ${JOINS}
  WHERE listings.id = $1 AND (${IS_PUBLIC_LISTING} OR ${belongsTo('$2')})`;

/** What becomes a listing. */
export interface ListingDraft {
  categoryId: number;
  visibility: Visibility;
  server: ServerDocument;
  orgId: string | null;
  ownerId: string | null;
}

@Injectable()
export class ListingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  async list({ category, ...query }: ListingQuery): Promise<Page<ListingOut>> {
    const request = this.pages.open(LIST, query, { category });
    const rows = await this.dataSource.query<ListingRow[]>(LIST_PUBLIC, [
      request.after ?? null,
      request.filter.category ?? null,
      request.take,
    ]);
    return this.pages.close(LIST, request, rows, toListing);
  }

  /** @throws NotFoundError, also for one that the caller may not see */
  async get(caller: Caller, id: string): Promise<ListingDetailOut> {
    return toListingDetail(await this.findVisible(this.dataSource.manager, caller, id));
  }

  /**
   * The listing as the caller may see it, for whoever refers to one.
   *
   * @throws NotFoundError
   */
  async findVisible(manager: EntityManager, caller: Caller, id: string): Promise<ListingRow> {
    const [row] = await manager.query<ListingRow[]>(FIND_VISIBLE, [id, caller.userId]);
    if (!row) throw new NotFoundError(ErrorCode.ListingNotFound, id);
    return row;
  }

  /**
   * Writes a draft with its first version.
   *
   * @param manager of the caller's transaction
   * @returns the listing's id
   * @throws ConflictError (translated) when the name is taken
   */
  async create(
    manager: EntityManager,
    { categoryId, visibility, server, orgId, ownerId }: ListingDraft,
  ): Promise<string> {
    const id = newId();
    await manager.query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, visibility, org_id, owner_id,
                             repository, website_url, icons)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        id,
        server.name,
        slugOf(server.name) ?? id,
        server.title ?? server.name,
        server.description,
        categoryId,
        visibility,
        orgId,
        ownerId,
        server.repository ? JSON.stringify(server.repository) : null,
        server.websiteUrl ?? null,
        JSON.stringify(server.icons ?? []),
      ],
    );
    await manager.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, $2, $3, true)`,
      [id, server.version, JSON.stringify(server)],
    );
    return id;
  }

  /**
   * DRAFT → PUBLISHED.
   *
   * @param manager of the caller's transaction
   */
  async publish(manager: EntityManager, id: string): Promise<void> {
    const [rows] = await manager.query<[{ name: string; org_id: string | null; owner_id: string | null }[], number]>(
      `UPDATE listings SET status = 'PUBLISHED', published_at = now(), archived_at = NULL, updated_at = now()
       WHERE id = $1 AND status <> 'PUBLISHED' RETURNING name, org_id, owner_id`,
      [id],
    );
    const [row] = rows;
    if (!row) return;
    await record(manager, {
      type: 'listing.published',
      orgId: row.org_id,
      ownerId: row.owner_id,
      data: { listing_id: id, name: row.name, org_id: row.org_id },
    });
  }
}
