import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { allowLongDatabaseWork } from '../database/deadline';
import { one } from '../database/statements';
import { record } from '../events/outbox';
import type { ActingMember } from '../organisations/members/memberships.service';
import { Memberships } from '../organisations/members/memberships.service';
import type { Organisation } from '../organisations/organisation.entity';
import { inOrganisation } from '../organisations/organisation-lock';
import { Departures } from './departures';
import {
  type OrganisationDeletionCounts,
  type OrganisationDeletionPreviewOut,
  toPreview,
} from './organisation-deletion.dto';

/** Each count uses an index on org_id. */
const COUNT = `
  SELECT (SELECT count(*)::int FROM memberships WHERE org_id = $1 AND role IS NOT NULL) AS member_count,
         (SELECT count(*)::int FROM bundles WHERE org_id = $1) AS bundle_count,
         (SELECT count(*)::int FROM credentials WHERE organisation_id = $1) AS credential_count,
         (SELECT count(*)::int FROM listings WHERE org_id = $1
            AND NOT EXISTS (SELECT FROM listing_versions WHERE listing_id = listings.id AND was_public)) AS deleted_listing_count,
         (SELECT count(*)::int FROM listings WHERE org_id = $1
            AND EXISTS (SELECT FROM listing_versions WHERE listing_id = listings.id AND was_public)) AS archived_listing_count,
         (SELECT count(*)::int FROM webhook_endpoints WHERE org_id = $1) AS endpoint_count,
         (SELECT count(*)::int FROM scim_users WHERE org_id = $1 AND deleted_at IS NULL) AS directory_user_count,
         (SELECT count(*)::int FROM scim_groups WHERE org_id = $1) AS directory_group_count,
         (SELECT count(*)::int FROM scim_tokens WHERE org_id = $1) AS scim_token_count`;

/** Frees the slug immediately; the replacement is random, so it cannot be taken. Other columns are no longer read. */
const MARK = `
  UPDATE organisations SET deleted_at = clock_timestamp(), slug = 'deleted-' || gen_random_uuid(), updated_at = now()
  FROM (SELECT id AS org_id, name AS old_name, slug AS old_slug FROM organisations WHERE id = $1) AS before
  WHERE id = org_id RETURNING old_name AS name, old_slug AS slug`;

/**
 * Deletes organisations (contract, section 12.5). One transaction removes everything that users can see or use, and the
 * tokens. The directory and the logs follow in small batches (`organisation-purge.ts`), and each endpoint once it has
 * been notified.
 */
@Injectable()
export class OrganisationDeletion {
  private readonly logger = new Logger(OrganisationDeletion.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly departures: Departures,
  ) {}

  /** Counts what would be deleted. */
  async preview({ orgId }: ActingMember): Promise<OrganisationDeletionPreviewOut> {
    return toPreview(orgId, await one<OrganisationDeletionCounts>(this.dataSource, COUNT, [orgId]));
  }

  /** @throws NotFoundError, InsufficientRoleError if membership or role changed after the guard's check */
  async remove(member: ActingMember): Promise<void> {
    const { orgId, userId } = member;
    allowLongDatabaseWork();
    const afterwards = await inOrganisation(this.dataSource, orgId, async (manager) => {
      await this.memberships.require(member, orgId, 'OWNER', manager);
      const { name, slug } = await one<Pick<Organisation, 'name' | 'slug'>>(manager, MARK, [orgId]);
      // Before anything is deleted, so that existing endpoints receive it; they are kept until they have.
      await record(manager, {
        type: 'organisation.deleted',
        orgId,
        data: { org_id: orgId, name, slug, deleted_by: userId },
      });
      return this.departures.removeOfOrganisation(manager, orgId);
    });
    afterwards();
    this.logger.log(`Organisation ${orgId} was deleted by ${userId}.`);
  }
}
