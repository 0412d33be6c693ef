import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { many } from '../../database/statements';
import { type Page, Pages } from '../../http/requests/page';
import type { ActingMember } from '../../organisations/members/memberships.service';
import {
  type AllowedListingOut,
  type AllowedListingRow,
  type AllowedListingsQuery,
  toAllowedListing,
} from './allowed-listing.dto';

/** A cursor is valid only in its own organisation. */
const listOf = (orgId: string) => `allow list of ${orgId}`;

const MAX_BUNDLES = 5;

const bundlesBy = (rule: string): string => `
  (SELECT COALESCE(jsonb_agg(jsonb_build_object('id', named.id, 'name', named.name) ORDER BY named.id), '[]')
   FROM (SELECT DISTINCT bundles.id, bundles.name FROM allowed JOIN bundles ON bundles.id = allowed.bundle_id
         WHERE allowed.listing_id = page.listing_id AND allowed.rule = '${rule}'
         ORDER BY bundles.id LIMIT ${MAX_BUNDLES}) AS named)`;

/**
 * $1 organisation, $2 rule or null, $3 what is searched for or null, $4 and $5 name and id of the last listing of the page
 * before or null, $6 rows. By the rules of `managed-settings/`, with all that apply; the names of bundles are read for the
 * page only. The whole list is put together for each page, as for the file itself, but without any document.
 */
const ALLOWED = `
  WITH approved AS (
    SELECT id AS listing_id, 'own_listing' AS rule, NULL::uuid AS bundle_id, NULL AS version FROM listings WHERE org_id = $1
    UNION ALL
    SELECT entries.listing_id, 'bundle', bundles.id, entries.version
    FROM bundles JOIN bundle_entries AS entries ON entries.bundle_id = bundles.id AND entries.is_enabled
    WHERE bundles.org_id = $1
    UNION ALL
    SELECT entries.listing_id, 'deployment', deployed.id, COALESCE(entries.listing_version, entries.version)
    FROM (
      SELECT DISTINCT bundles.id, bundle_version FROM bundles JOIN bundle_deployments ON bundle_id = bundles.id
      WHERE bundles.org_id = $1 AND bundle_deployments.status <> 'STOPPED') AS deployed
    JOIN bundle_versions ON bundle_id = deployed.id AND number = deployed.bundle_version
    CROSS JOIN LATERAL jsonb_to_recordset(bundle_versions.entries)
      AS entries(listing_id uuid, version text, listing_version text, is_enabled boolean)
    WHERE entries.is_enabled
  ),
  allowed AS MATERIALIZED (
    SELECT approved.listing_id, approved.rule, approved.bundle_id, listings.name, listings.title
    FROM approved
    JOIN listings ON listings.id = approved.listing_id AND listings.status = 'PUBLISHED'
      AND (listings.visibility = 'PUBLIC' OR listings.org_id = $1)
      AND ($3::text IS NULL OR strpos(lower(listings.name || ' ' || listings.title), lower($3)) > 0)
    JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
    WHERE EXISTS (SELECT FROM listing_versions AS meant WHERE meant.listing_id = listings.id AND meant.status <> 'deleted'
                    AND meant.version = COALESCE(approved.version, latest.version))
  ),
  page AS (
    SELECT listing_id, name, title, array_agg(DISTINCT rule ORDER BY rule) AS rules,
           (count(DISTINCT bundle_id) FILTER (WHERE rule = 'bundle'))::integer AS bundle_count
    FROM allowed
    WHERE $4::text IS NULL OR (name COLLATE "C", listing_id) > ($4 COLLATE "C", $5::uuid)
    GROUP BY listing_id, name, title
    HAVING $2::text IS NULL OR bool_or(rule = $2)
    ORDER BY name COLLATE "C", listing_id LIMIT $6
  )
  SELECT page.*, ${bundlesBy('bundle')} AS bundles, ${bundlesBy('deployment')} AS deployed_bundles
  FROM page ORDER BY name COLLATE "C", listing_id`;

/** What an organisation allows, listing by listing. */
@Injectable()
export class AllowedListingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** By name. */
  async list({ orgId }: ActingMember, query: AllowedListingsQuery): Promise<Page<AllowedListingOut>> {
    const page = this.pages.open(listOf(orgId), query, { rule: query.rule, search: query.search });
    const [name = null, id = null] = page.position<[name: string, id: string]>() ?? [];
    const { rule = null, search = null } = page.filter;
    const parameters = [orgId, rule, search, name, id, page.take];
    const rows = await many<AllowedListingRow>(this.dataSource, ALLOWED, parameters);
    return page.close(rows, toAllowedListing, (row) => [row.name, row.listing_id]);
  }
}
