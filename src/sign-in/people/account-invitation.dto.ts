import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField, NameField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { AccountInvitation } from './account-invitation.entity';

export class AccountInvitationCreate {
  @TextField({
    min: 3,
    max: 254,
    pattern: '^[^@\\s]+@[^@\\s]+$',
    example: 'ada@example.com',
    description: 'Counts as verified once the person accepts: make sure that it is theirs.',
  })
  email: string;

  @NameField({ required: false, nullable: true, description: 'A suggestion; the person chooses.' })
  name?: string | null;
}

export class AccountInvitationQuery extends PageQuery {}

/** An invitation to have an account here that no one has accepted yet. */
export class AccountInvitationOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'ada@example.com', description: 'As entered.' })
  email: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Ada' })
  name: string | null;

  @IdField({ nullable: true, description: 'The administrator who invited.' })
  invited_by: string | null;

  @InstantField({ description: 'When it expires: 7 days after it was created.' })
  expires_at: string;

  @InstantField()
  created_at: string;
}

/** A new invitation, with its link. */
export class AccountInvitationCreatedOut extends AccountInvitationOut {
  @ApiProperty({
    example: 'https://tools.example.com/invitations/…',
    description: 'Shown only here. Unless `mailed`, give it to the person yourself.',
  })
  link: string;

  @ApiProperty({
    description:
      'Whether the link is also mailed to the address. Always false without `SMTP_URL`; `GET /v1/mails` shows what became of it.',
  })
  mailed: boolean;
}

/** A row as selected by the service. */
export type AccountInvitationRow = Pick<
  Columns<AccountInvitation>,
  'id' | 'email' | 'name' | 'invited_by' | 'expires_at' | 'created_at'
>;

export function toAccountInvitation(row: AccountInvitationRow): AccountInvitationOut {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    invited_by: row.invited_by,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
