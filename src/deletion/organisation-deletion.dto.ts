import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../http/requests/fields';

/** What would be deleted with an organisation. */
export class OrganisationDeletionPreviewOut {
  @IdField()
  org_id: string;

  @ApiProperty({ type: 'integer' })
  member_count: number;

  @ApiProperty({ type: 'integer', description: 'Bundles, with their entries, access tokens and deployments.' })
  bundle_count: number;

  @ApiProperty({ type: 'integer', description: 'Credentials for listings; those of bundles go with them.' })
  credential_count: number;

  @ApiProperty({ type: 'integer', description: 'Listings that were never public. They are deleted.' })
  deleted_listing_count: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Listings that are or were public. They are archived and lose their owner, because others refer to them.',
  })
  archived_listing_count: number;

  @ApiProperty({
    type: 'integer',
    description: 'Webhook endpoints. They receive `organisation.deleted` before they are deleted.',
  })
  endpoint_count: number;

  @ApiProperty({ type: 'integer', description: 'Users in the directory.' })
  directory_user_count: number;

  @ApiProperty({ type: 'integer', description: 'Groups in the directory.' })
  directory_group_count: number;

  @ApiProperty({ type: 'integer', description: 'SCIM tokens, including expired ones.' })
  scim_token_count: number;
}

/** A row as selected by the service. */
export type OrganisationDeletionCounts = Omit<OrganisationDeletionPreviewOut, 'org_id'>;

export function toPreview(orgId: string, row: OrganisationDeletionCounts): OrganisationDeletionPreviewOut {
  return {
    org_id: orgId,
    member_count: row.member_count,
    bundle_count: row.bundle_count,
    credential_count: row.credential_count,
    deleted_listing_count: row.deleted_listing_count,
    archived_listing_count: row.archived_listing_count,
    endpoint_count: row.endpoint_count,
    directory_user_count: row.directory_user_count,
    directory_group_count: row.directory_group_count,
    scim_token_count: row.scim_token_count,
  };
}
