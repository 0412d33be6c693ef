import { ApiProperty } from '@nestjs/swagger';
import type { SignedInBy } from '../auth/sessions/sign-outs';
import { IdField } from '../http/requests/fields';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** An organisation that would be left without an active OWNER. */
export class OwnedAloneOut {
  @IdField()
  org_id: string;

  @ApiProperty({ example: 'Acme' })
  name: string;
}

/** What would happen if an account were closed or deleted. */
export class AccountDeparturePreviewOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: [OwnedAloneOut],
    description:
      'Organisations of which it is the last active OWNER, ten at most. Then it cannot be deleted, and closed only with `allow_last_owner`.',
  })
  last_owner_of: OwnedAloneOut[];

  @ApiProperty({ ...COUNT, description: 'Browsers that would be signed out, up to 1,000. Closing ends them, too.' })
  session_count: number;

  @ApiProperty({ ...COUNT, description: 'Applications that would lose access. Closing ends that, too.' })
  application_count: number;

  @ApiProperty({ ...COUNT, description: 'Personal access tokens that would be revoked. Closing revokes them, too.' })
  access_token_count: number;

  @ApiProperty({ ...COUNT, description: 'Organisations that the person would leave.' })
  membership_count: number;

  @ApiProperty({ ...COUNT, description: 'Personal bundles, with their entries, access tokens and deployments.' })
  bundle_count: number;

  @ApiProperty({ ...COUNT, description: 'Credentials of the person for servers.' })
  credential_count: number;

  @ApiProperty({ ...COUNT, description: 'Personal listings that were never public. They would be deleted.' })
  deleted_listing_count: number;

  @ApiProperty({
    ...COUNT,
    description: 'Personal listings that are or were public. They would be archived and lose their owner.',
  })
  archived_listing_count: number;

  @ApiProperty({ ...COUNT, description: 'Personal webhook endpoints.' })
  endpoint_count: number;

  @ApiProperty({ ...COUNT, description: 'Reviews of listings.' })
  review_count: number;
}

/** A row as selected by the service. */
export type AccountDepartureCounts = Omit<
  AccountDeparturePreviewOut,
  'user_id' | 'last_owner_of' | 'review_count' | keyof SignedInBy
>;
