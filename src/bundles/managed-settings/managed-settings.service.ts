import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import type { ActingMember } from '../../organisations/members/memberships.service';
import { AllowList, type ApprovedServer } from './allow-list';
import type { ManagedSettingsOut, ManagedSettingsReportOut } from './managed-settings.dto';

/**
 * $1 organisation. Its own published listings, and what is enabled and published in its bundles, with its
 * configurations: as the bundles are now, and as their deployments run them, except stopped ones. Old versions count
 * too, since clients compare a command word by word and most commands name a version. Only listings that are public or
 * the organisation's own: a listing in a bundle may have become private to someone else. Rows of the same document
 * follow one another, and only the first of them has it.
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
  SELECT listings.id AS listing_id, listings.name, approved.config, meant.server_bytes AS document_bytes,
         row_number() OVER same_document AS row_of_document,
         CASE WHEN row_number() OVER same_document = 1 THEN meant.server END AS server
  FROM approved
  JOIN listings ON listings.id = approved.listing_id AND listings.status = 'PUBLISHED'
    AND (listings.visibility = 'PUBLIC' OR listings.org_id = $1)
  JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  JOIN listing_versions AS meant ON meant.listing_id = listings.id AND meant.status <> 'deleted'
    AND meant.version = COALESCE(approved.version, latest.version)
  WINDOW same_document AS (PARTITION BY listings.name, meant.version, listings.id ORDER BY approved.config)
  ORDER BY listings.name, meant.version, listings.id, row_of_document`;

const ROWS_PER_FETCH = 20;

/** `server` is null if it is the document of the row before. */
type ApprovedRow = Omit<ApprovedServer, 'server'> & { server: object | null; document_bytes: number };

/** An organisation's approved servers as the allow list of clients with managed settings. */
@Injectable()
export class ManagedSettingsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The file that such a client reads.
   *
   * @throws ConflictError if the list would be too long
   */
  async settings(member: ActingMember): Promise<ManagedSettingsOut> {
    return { allowedMcpServers: (await this.list(member)).allowed };
  }

  /**
   * Which of the approved servers the list cannot name.
   *
   * @throws ConflictError if the list would be too long
   */
  async report(member: ActingMember): Promise<ManagedSettingsReportOut> {
    const { allowed, unlisted } = await this.list(member);
    return { allowed: allowed.length, unlisted };
  }

  /** An organisation can have any number of such rows, so only a few of them are in memory at once. */
  private async list({ orgId }: ActingMember): Promise<AllowList> {
    return inTransaction(this.dataSource, async (manager) => {
      await execute(manager, `DECLARE approved NO SCROLL CURSOR FOR ${APPROVED}`, [orgId]);
      const list = new AllowList();
      for await (const [server, documentBytes] of approvedServers(manager)) await list.add(server, documentBytes);
      return list;
    });
  }
}

/** @param manager of a transaction in which the cursor `approved` is open */
async function* approvedServers(
  manager: EntityManager,
): AsyncGenerator<[server: ApprovedServer, documentBytes: number]> {
  let document: object = {};
  let rows: ApprovedRow[];
  do {
    rows = await many<ApprovedRow>(manager, `FETCH ${ROWS_PER_FETCH} FROM approved`);
    for (const { listing_id, name, config, server, document_bytes } of rows) {
      document = server ?? document;
      yield [{ listing_id, name, config, server: document }, document_bytes];
    }
  } while (rows.length === ROWS_PER_FETCH);
}
