import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../http/requests/fields';
import { type Role, ROLES } from '../organisations/members/role';

/** Each part of the answer has at most so many items; its own lists have the rest. */
export const MAX_ITEMS = 20;

/** Counting stops there. */
export const MAX_COUNTED = 100;

/** So many bundles of a person are looked at, those that were made last: what they follow has no limit. */
export const MAX_BUNDLES = 1_000;

const OFFER_KINDS = ['INVITATION', 'DIRECTORY'] as const;
const ACCOUNT_REASONS = ['MISSING', 'RECONNECT'] as const;
const COUNT = { type: 'integer', minimum: 0, maximum: MAX_COUNTED, description: '100: that many, or more.' } as const;

export class WaitingInvitationOut {
  @IdField({ description: 'Accept or decline it by this id.' })
  id: string;

  @ApiProperty({ enum: OFFER_KINDS })
  kind: (typeof OFFER_KINDS)[number];

  @IdField()
  org_id: string;

  @ApiProperty({ example: 'Acme' })
  organisation_name: string;

  @ApiProperty({
    enum: [...ROLES, null],
    type: 'string',
    nullable: true,
    description: 'The role that you get by accepting; null if the directory determines it.',
  })
  role: Role | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Ada',
    description: 'Null also for a person who is in none of your organisations.',
  })
  invited_by_name: string | null;

  @InstantField()
  created_at: string;
}

export class WaitingAccountOut {
  @IdField()
  bundle_id: string;

  @ApiProperty({ example: 'Incident response' })
  bundle_name: string;

  @IdField()
  entry_id: string;

  @ApiProperty({ example: 'weather' })
  key: string;

  @ApiProperty({ example: 'io.github.acme/weather' })
  listing_name: string;

  @ApiProperty({
    enum: ACCOUNT_REASONS,
    description:
      '`MISSING`: there is no credential that could be used for you. `RECONNECT`: yours is no longer accepted.',
  })
  reason: (typeof ACCOUNT_REASONS)[number];
}

export class WaitingToolsOut {
  @IdField()
  bundle_id: string;

  @ApiProperty({ example: 'Incident response' })
  bundle_name: string;

  @ApiProperty(COUNT)
  count: number;
}

export class WaitingRequestsOut {
  @IdField()
  org_id: string;

  @ApiProperty({ example: 'Acme' })
  organisation_name: string;

  @ApiProperty(COUNT)
  count: number;
}

/** The newest of what waits, and how many there are. */
export interface WaitingPart<Item> {
  count: number;
  items: Item[];
}

export class WaitingInvitationsPartOut implements WaitingPart<WaitingInvitationOut> {
  @ApiProperty(COUNT)
  count: number;

  @ApiProperty({ type: [WaitingInvitationOut], maxItems: MAX_ITEMS })
  items: WaitingInvitationOut[];
}

export class WaitingAccountsPartOut implements WaitingPart<WaitingAccountOut> {
  @ApiProperty(COUNT)
  count: number;

  @ApiProperty({ type: [WaitingAccountOut], maxItems: MAX_ITEMS })
  items: WaitingAccountOut[];
}

export class WaitingToolsPartOut implements WaitingPart<WaitingToolsOut> {
  @ApiProperty({ ...COUNT, description: 'The number of tools in all bundles. 100 means 100 or more.' })
  count: number;

  @ApiProperty({ type: [WaitingToolsOut], maxItems: MAX_ITEMS })
  items: WaitingToolsOut[];
}

export class WaitingRequestsPartOut implements WaitingPart<WaitingRequestsOut> {
  @ApiProperty({ ...COUNT, description: 'The number of requests in all organisations. 100 means 100 or more.' })
  count: number;

  @ApiProperty({ type: [WaitingRequestsOut], maxItems: MAX_ITEMS })
  items: WaitingRequestsOut[];
}

export class WaitingOut {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 4 * MAX_COUNTED, description: 'The sum of the counts.' })
  total: number;

  @ApiProperty({ type: WaitingInvitationsPartOut, description: 'Invitations that you can accept or decline.' })
  invitations: WaitingInvitationsPartOut;

  @ApiProperty({
    type: WaitingAccountsPartOut,
    description:
      'Servers that need a credential of your own: of the bundles that you follow or own whose endpoints are enabled, the 1,000 newest.',
  })
  accounts: WaitingAccountsPartOut;

  @ApiProperty({
    type: WaitingToolsPartOut,
    description:
      'Tools, prompts and templates that clients do not get, or get as they were, until their definitions are approved: of the bundles that you may change whose endpoints are enabled, the 1,000 newest.',
  })
  tools: WaitingToolsPartOut;

  @ApiProperty({
    type: WaitingRequestsPartOut,
    description: 'Requests for servers that you can decide, as ADMIN or OWNER of their organisations.',
  })
  requests: WaitingRequestsPartOut;
}
