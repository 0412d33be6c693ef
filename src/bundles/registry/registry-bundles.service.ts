import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Columns } from '../../database/columns';
import { many } from '../../database/statements';
import { MAX_PAGE_BYTES, Pages } from '../../http/requests/page';
import type { Bundle } from '../bundle.entity';
import type { RegistryBundleOut, RegistryBundlesOut, RegistryBundlesQuery } from './registry-bundles.dto';

const LIST = 'registry bundles';

/**
 * Newest first. $1 the last id of the page before, $2 rows and one more. Only those entries that the registry shows to
 * everyone. `is_last` says whether this is the last page.
 */
const PUBLIC_BUNDLES = `
  WITH fetched AS (
    SELECT bundles.id, bundles.name, bundles.slug, bundles.description, bundles.updated_at,
           ARRAY(SELECT jsonb_build_object('name', listings.name, 'version', effective.version)
                 FROM bundle_entries AS entries
                 JOIN listings ON listings.id = entries.listing_id
                 JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
                 JOIN listing_versions AS effective ON effective.listing_id = listings.id AND effective.status <> 'deleted'
                   AND effective.version = COALESCE(entries.version, latest.version)
                 WHERE entries.bundle_id = bundles.id AND entries.is_enabled
                   AND listings.status = 'PUBLISHED' AND listings.visibility = 'PUBLIC'
                 ORDER BY entries.position) AS entries
    FROM bundles WHERE bundles.visibility = 'PUBLIC' AND ($1::uuid IS NULL OR bundles.id < $1)
    ORDER BY bundles.id DESC LIMIT $2),
  weighed AS (
    SELECT *, row_number() OVER page AS place,
           sum(octet_length(concat(name, slug, description, to_json(entries))) + 200) OVER page AS weight
    FROM fetched WINDOW page AS (ORDER BY id DESC))
  SELECT *, count(*) OVER () = (SELECT count(*) FROM fetched) AS is_last
  FROM weighed WHERE place < $2 AND (place = 1 OR weight <= ${MAX_PAGE_BYTES}) ORDER BY place`;

type Row = Omit<RegistryBundleOut, 'servers' | 'updatedAt'> &
  Pick<Columns<Bundle>, 'updated_at'> & { is_last: boolean };

/** Public bundles as an extension of the registry API (contract, section 10). */
@Injectable()
export class RegistryBundlesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** @throws ValidationError for a cursor of another list */
  async list(query: RegistryBundlesQuery): Promise<RegistryBundlesOut> {
    const page = this.pages.open(LIST, query, {});
    const rows = await many<Row>(this.dataSource, PUBLIC_BUNDLES, [page.after, page.take]);
    const { items, next } = page.closeSized(rows, toBundle, ({ id }) => id);
    return { bundles: items, metadata: { count: items.length, ...(next !== undefined && { nextCursor: next }) } };
  }
}

function toBundle({ id, name, slug, description, entries, updated_at }: Row): RegistryBundleOut {
  const servers = entries.map((entry) => entry.name);
  return { id, name, slug, description, servers, entries, updatedAt: updated_at.toISOString() };
}
