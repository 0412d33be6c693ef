import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller';
import { belongsTo } from '../catalog/listing-visibility.sql';
import { ListingsService } from '../catalog/listings.service';
import { newId } from '../database/id';
import { inTransaction } from '../database/transaction';
import { record } from '../events/outbox';
import { ValidationError } from '../http/errors';
import { Page, PageQuery, Pages } from '../http/page';
import { BundleEntryAdd, BundleEntryOut, BundleEntryRow, toBundleEntry } from './bundle-entry.dto';
import { BundleFinder } from './bundle-finder';

const LIST = 'bundle entries';

const SELECT = `
  SELECT entries.id, entries.listing_id, entries.listing_name, entries.position, entries.is_enabled, entries.config,
         entries.created_at, entries.updated_at, COALESCE(listings.status = 'PUBLISHED', false) AS is_available
  FROM bundle_entries AS entries LEFT JOIN listings ON listings.id = entries.listing_id`;

/**
 * $1 bundle, $2 the position after which the page begins, $3 rows, $4 person. An archived listing may be known to have
 * been there; one that never was everybody's is not shown, even in a public bundle, but to those to whom it belongs.
 */
const LIST_OF_BUNDLE = `${SELECT}
  WHERE entries.bundle_id = $1 AND ($2::int IS NULL OR entries.position > $2)
    AND (listings.id IS NULL OR (listings.visibility = 'PUBLIC' AND listings.status <> 'DRAFT') OR ${belongsTo('$4')})
  ORDER BY entries.position LIMIT $3`;

@Injectable()
export class BundleEntriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly listings: ListingsService,
    private readonly pages: Pages,
  ) {}

  /**
   * Puts a listing into a bundle, at the end or at a position.
   *
   * @throws NotFoundError for a bundle or listing that the caller may not see; ForbiddenError; ConflictError when the
   *   bundle holds the listing already; ValidationError for a position past the end
   */
  async add(caller: Caller, bundleId: string, input: BundleEntryAdd): Promise<BundleEntryOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      const listing = await this.listings.findVisible(manager, caller, input.listing_id);
      const [{ count } = { count: 0 }] = await manager.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM bundle_entries WHERE bundle_id = $1`,
        [bundleId],
      );
      const position = input.position ?? count;
      if (position > count) {
        throw new ValidationError([
          { loc: ['body', 'position'], msg: `Must be at most ${count}.`, type: 'less_than_equal' },
        ]);
      }
      if (position < count) {
        await manager.query(
          `UPDATE bundle_entries SET position = position + 1, updated_at = now() WHERE bundle_id = $1 AND position >= $2`,
          [bundleId, position],
        );
      }
      const id = newId();
      await manager.query(
        `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, position, config)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [id, bundleId, listing.id, listing.name, position, JSON.stringify(input.config ?? {})],
      );
      await manager.query(`UPDATE bundles SET updated_at = now() WHERE id = $1`, [bundleId]);
      await record(manager, {
        type: 'bundle.entry_added',
        orgId: bundle.org_id,
        ownerId: bundle.owner_id,
        data: {
          bundle_id: bundleId,
          entry_id: id,
          listing_id: listing.id,
          listing_name: listing.name,
          position,
          org_id: bundle.org_id,
        },
      });
      const [row] = await manager.query<BundleEntryRow[]>(`${SELECT} WHERE entries.id = $1`, [id]);
      return toBundleEntry(row as BundleEntryRow);
    });
  }

  /**
   * In the order of their positions, without those whose listing the caller may not know of.
   *
   * @throws NotFoundError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleEntryOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    await this.finder.readable(this.dataSource.manager, caller, bundleId);
    const rows = await this.dataSource.query<BundleEntryRow[]>(LIST_OF_BUNDLE, [
      bundleId,
      request.after ?? null,
      request.take,
      caller.userId,
    ]);
    return this.pages.close(LIST, request, rows, toBundleEntry, (row) => String(row.position));
  }
}
