import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../database/columns';
import { BooleanField, EnumField, IdField, InstantField, NameField, TextField } from '../http/requests/fields';
import { PageQuery } from '../http/requests/page';
import { SERVER_REQUEST_STATUSES, type ServerRequestStatus } from './server-request-status';
import type { ServerRequest } from './server-request.entity';

const MAX_WORDS = 2_000;

export class ServerRequestCreate {
  @IdField({
    required: false,
    nullable: true,
    description: 'Either this or `name`. A public listing, or one of the organisation.',
  })
  listing_id?: string | null;

  @NameField({
    required: false,
    nullable: true,
    example: 'Weather',
    description: 'Either this or `listing_id`. A server that the catalogue lacks.',
  })
  name?: string | null;

  @TextField({
    required: false,
    nullable: true,
    max: MAX_WORDS,
    example: 'For the forecasts in our delivery plan.',
    description: 'What you need it for. Empty when it is left out.',
  })
  why?: string | null;
}

export class ServerRequestDecision {
  @TextField({
    required: false,
    nullable: true,
    max: MAX_WORDS,
    example: 'It is in the bundle “Delivery” now.',
    description: 'A word to the member who asked.',
  })
  answer?: string | null;
}

export class ServerRequestQuery extends PageQuery {
  @EnumField(SERVER_REQUEST_STATUSES, { required: false, description: 'Only requests with this status.' })
  status?: ServerRequestStatus;

  @BooleanField({ required: false, description: 'Only your own. A MEMBER gets no others anyway.' })
  mine?: boolean;
}

export class ServerRequestPersonOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Bob',
    description: 'Null also for someone who is not a member any more.',
  })
  name: string | null;
}

export class ServerRequestOut {
  @IdField()
  id: string;

  @IdField({ nullable: true, description: 'Null: it is asked for by a name, or the listing was deleted.' })
  listing_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'io.github.acme/weather',
    description: 'The name of the listing, also after it was deleted; null: it is asked for by a name.',
  })
  listing_name: string | null;

  @ApiProperty({ example: 'Weather', description: 'As typed; for a listing, its title at that time.' })
  name: string;

  @ApiProperty()
  why: string;

  @ApiProperty({ enum: SERVER_REQUEST_STATUSES, enumName: 'ServerRequestStatus' })
  status: ServerRequestStatus;

  @ApiProperty({ type: ServerRequestPersonOut })
  requested_by: ServerRequestPersonOut;

  @ApiProperty({
    type: ServerRequestPersonOut,
    nullable: true,
    description: 'The administrator; null: no one has decided, or their account was deleted.',
  })
  decided_by: ServerRequestPersonOut | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'What the administrator says to who asked.' })
  answer: string | null;

  @InstantField()
  created_at: string;

  @InstantField({ nullable: true, description: 'When it was decided or withdrawn; null: it is open.' })
  decided_at: string | null;

  @ApiProperty({ description: 'Whether you can approve or decline it now.' })
  may_decide: boolean;

  @ApiProperty({ description: 'Whether you can withdraw it now.' })
  may_withdraw: boolean;
}

/** A row as selected by the service. */
export type ServerRequestRow = Pick<
  Columns<ServerRequest>,
  | 'id'
  | 'listing_id'
  | 'listing_name'
  | 'name'
  | 'why'
  | 'status'
  | 'requested_by'
  | 'decided_by'
  | 'answer'
  | 'created_at'
  | 'decided_at'
> & { requester_name: string | null; decider_name: string | null };

/** @param viewer who asks, and whether they are an administrator of the organisation */
export function toServerRequest(
  row: ServerRequestRow,
  viewer: { readonly userId: string; readonly isAdmin: boolean },
): ServerRequestOut {
  const isOpen = row.status === 'OPEN';
  return {
    id: row.id,
    listing_id: row.listing_id,
    listing_name: row.listing_name,
    name: row.name,
    why: row.why,
    status: row.status,
    requested_by: { user_id: row.requested_by, name: row.requester_name },
    decided_by: row.decided_by === null ? null : { user_id: row.decided_by, name: row.decider_name },
    answer: row.answer,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    may_decide: isOpen && viewer.isAdmin,
    may_withdraw: isOpen && viewer.userId === row.requested_by,
  };
}
