import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ActingMember } from '../../organisations/memberships.service';
import { allowListOf, type ApprovedServer } from './allow-list';
import type { ManagedSettingsOut, ManagedSettingsReportOut } from './managed-settings.dto';

/**
 * $1 organisation. Its own published listings, and what is enabled and published in its bundles, with their settings: as
 * they are now, and as their deployments have them, except the stopped ones, since a command is compared word by word and
 * most name a version. Only what is public or its own, as a bundle may hold what somebody else has made private since.
 */
const APPROVED = `
  WITH approved AS (
    SELECT id AS listing_id, NULL AS version, '{}'::jsonb AS config FROM listings WHERE org_id = $1
    UNION
    SELECT entries.listing_id, entries.version, entries.config
    FROM bundles JOIN bundle_entries AS entries ON entries.bundle_id = bundles.id AND entries.is_enabled
    WHERE bundles.org_id = $1
    UNION
    SELECT entries.listing_id, COALESCE(entries.listing_version, entries.version), entries.config
    FROM (
      SELECT DISTINCT bundles.id, bundle_version FROM bundles JOIN bundle_deployments ON bundle_id = bundles.id
      WHERE bundles.org_id = $1 AND bundle_deployments.status <> 'STOPPED') AS deployed
    JOIN bundle_versions ON bundle_id = deployed.id AND number = deployed.bundle_version
    CROSS JOIN LATERAL jsonb_to_recordset(bundle_versions.entries)
      AS entries(listing_id uuid, version text, listing_version text, is_enabled boolean, config jsonb)
    WHERE entries.is_enabled
  )
  SELECT listings.id AS listing_id, listings.name, meant.version, meant.server, approved.config
  FROM approved
  JOIN listings ON listings.id = approved.listing_id AND listings.status = 'PUBLISHED'
    AND (listings.visibility = 'PUBLIC' OR listings.org_id = $1)
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  JOIN listing_versions AS meant ON meant.listing_id = listings.id AND meant.status <> 'deleted'
    AND meant.version = COALESCE(approved.version, latest.version)
  ORDER BY name, version, config`;

/** An organisation's approved servers as the allow list of clients with managed settings. */
@Injectable()
export class ManagedSettingsService {
  constructor(private readonly dataSource: DataSource) {}

  /** What such a client reads, and nothing else. */
  async settings(member: ActingMember): Promise<ManagedSettingsOut> {
    return { allowedMcpServers: allowListOf(await this.approved(member)).allowed };
  }

  /** What of the approved servers the list cannot name. */
  async report(member: ActingMember): Promise<ManagedSettingsReportOut> {
    const { allowed, unlisted } = allowListOf(await this.approved(member));
    return { allowed: allowed.length, unlisted };
  }

  private approved({ orgId }: ActingMember): Promise<ApprovedServer[]> {
    return this.dataSource.query<ApprovedServer[]>(APPROVED, [orgId]);
  }
}
