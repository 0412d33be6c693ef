import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ActingMember } from '../../organisations/memberships.service';
import { allowListOf, type ApprovedServer } from './allow-list';
import type { ManagedSettingsOut, ManagedSettingsReportOut } from './managed-settings.dto';

/**
 * $1 organisation. Its own published listings, and what is enabled and published in its bundles, with their settings; of
 * the latter only what is public or its own, as a bundle may hold what somebody else has made private since. Documents
 * are compared, which only `jsonb` can be.
 */
const APPROVED = `
  SELECT listings.id AS listing_id, listings.name, latest.server::jsonb, '{}'::jsonb AS config
  FROM listings JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  WHERE listings.org_id = $1 AND listings.status = 'PUBLISHED'
  UNION
  SELECT listings.id, listings.name, latest.server::jsonb, entries.config
  FROM bundles
  JOIN bundle_entries AS entries ON entries.bundle_id = bundles.id AND entries.is_enabled
  JOIN listings ON listings.id = entries.listing_id AND listings.status = 'PUBLISHED'
    AND (listings.visibility = 'PUBLIC' OR listings.org_id = $1)
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  WHERE bundles.org_id = $1
  ORDER BY name, config`;

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
