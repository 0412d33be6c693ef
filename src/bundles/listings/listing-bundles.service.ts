import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { ListingsService } from '../../catalog/listings/listings.service';
import { many } from '../../database/statements';
import { type Page, type PageQuery, Pages } from '../../http/requests/page';
import { Memberships } from '../../organisations/members/memberships.service';
import { isInsider } from '../bundle-insider.sql';
import { bundlesSeenBy } from '../bundle-view.sql';
import { type AllowanceRow, type ListingAllowanceOut, toListingAllowance } from './listing-allowance.dto';
import { type ListingBundleOut, type ListingBundleRow, toListingBundle } from './listing-bundle.dto';

const BUNDLE_LIST = 'bundles of a listing';
const ALLOWANCE_LIST = 'allowances of a listing';

/**
 * $1 listing, $2 person, $3 the last bundle of the page before, $4 rows. Newest first, by an index in this order. Only bundles
 * that the person may see.
 */
const LIST_BUNDLES = `
  WITH found AS (
    SELECT entries.id AS entry_id, entries.is_enabled, entries.bundle_id
    FROM bundle_entries AS entries JOIN bundles ON bundles.id = entries.bundle_id
    WHERE entries.listing_id = $1 AND ($3::uuid IS NULL OR entries.bundle_id < $3)
      AND (bundles.visibility = 'PUBLIC' OR ${isInsider('$2')})
    ORDER BY entries.bundle_id DESC LIMIT $4)
  SELECT seen.*, found.entry_id, found.is_enabled
  FROM found JOIN (${bundlesSeenBy('$2')} WHERE bundles.id IN (SELECT bundle_id FROM found)) AS seen
    ON seen.id = found.bundle_id
  ORDER BY seen.id DESC`;

const MAX_BUNDLES = 5;

/** Whether the version of `listings` that `entries` means is still there, as the allow list requires it. */
const IS_MEANT_VERSION_THERE = (version: string): string => `EXISTS (
  SELECT FROM listing_versions AS meant WHERE meant.listing_id = approved.id AND meant.status <> 'deleted'
    AND meant.version = COALESCE(${version}, approved.latest_version))`;

/**
 * $1 listing, $2 organisations. By the rules of the allow list (`managed-settings/`), one after the other, so that the versions
 * that deployments run are read only where no bundle has it now. OFFSET keeps the planner, which takes `@>` for very selective,
 * from looking through the versions of everyone before those that the deployments of the organisation run.
 */
const ALLOWANCES = `
  WITH approved AS (
    SELECT listings.id, listings.org_id, listings.visibility, latest.version AS latest_version
    FROM listings JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
    WHERE listings.id = $1 AND listings.status = 'PUBLISHED')
  SELECT mine.id AS org_id,
         CASE WHEN approved.org_id = mine.id THEN 'own_listing'
              WHEN enabled.bundles IS NOT NULL THEN 'bundle'
              WHEN deployed.bundles IS NOT NULL THEN 'deployment' END AS rule,
         COALESCE(enabled.bundles, deployed.bundles, '[]') AS bundles
  FROM unnest($2::uuid[]) AS mine(id)
  JOIN approved ON approved.visibility = 'PUBLIC' OR approved.org_id = mine.id
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('id', having_it.id, 'name', having_it.name) ORDER BY having_it.id) AS bundles
    FROM (SELECT bundles.id, bundles.name FROM bundles
          JOIN bundle_entries AS entries ON entries.bundle_id = bundles.id
          WHERE bundles.org_id = mine.id AND entries.listing_id = approved.id AND entries.is_enabled
            AND ${IS_MEANT_VERSION_THERE('entries.version')}
          ORDER BY bundles.id LIMIT ${MAX_BUNDLES}) AS having_it) AS enabled ON true
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('id', running.id, 'name', running.name) ORDER BY running.id) AS bundles
    FROM (SELECT DISTINCT bundles.id, bundles.name FROM bundles
          JOIN bundle_deployments ON bundle_deployments.bundle_id = bundles.id AND bundle_deployments.status <> 'STOPPED'
          CROSS JOIN LATERAL (
            SELECT bundle_versions.entries FROM bundle_versions
            WHERE bundle_versions.bundle_id = bundles.id AND bundle_versions.number = bundle_deployments.bundle_version
            OFFSET 0) AS recorded
          CROSS JOIN LATERAL jsonb_to_recordset(recorded.entries)
            AS entries(listing_id uuid, version text, listing_version text, is_enabled boolean)
          WHERE enabled.bundles IS NULL AND approved.org_id IS DISTINCT FROM mine.id AND bundles.org_id = mine.id
            AND recorded.entries @> jsonb_build_array(jsonb_build_object('listing_id', approved.id))
            AND entries.listing_id = approved.id AND entries.is_enabled
            AND ${IS_MEANT_VERSION_THERE('COALESCE(entries.listing_version, entries.version)')}
          ORDER BY bundles.id LIMIT ${MAX_BUNDLES}) AS running) AS deployed ON true`;

/** Where a listing is used: in which bundles, and in which organisations it is allowed. */
@Injectable()
export class ListingBundlesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly listings: ListingsService,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
  ) {}

  /** @throws NotFoundError for a listing that the caller may not see */
  async bundles(caller: Caller, listingId: string, query: PageQuery): Promise<Page<ListingBundleOut>> {
    const { id } = await this.listings.get(caller, listingId);
    const page = this.pages.open(BUNDLE_LIST, query, { listing: id });
    const parameters = [id, caller.userId, page.after, page.take];
    return page.close(await many<ListingBundleRow>(this.dataSource, LIST_BUNDLES, parameters), toListingBundle);
  }

  /** @throws NotFoundError for a listing that the caller may not see */
  async allowances(caller: Caller, listingId: string, query: PageQuery): Promise<Page<ListingAllowanceOut>> {
    const { id } = await this.listings.get(caller, listingId);
    const page = this.pages.open(ALLOWANCE_LIST, query, { listing: id });
    const organisations = await this.memberships.organisationsOf(caller, page);
    const rows = await many<AllowanceRow>(this.dataSource, ALLOWANCES, [id, organisations.map((each) => each.id)]);
    const allowances = new Map(rows.map((row) => [row.org_id, row]));
    return page.close(organisations, (organisation) =>
      toListingAllowance(organisation, allowances.get(organisation.id)),
    );
  }
}
