import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { BooleanField, EnumField, IdField, InstantField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { PersonMemberships } from '../../organisations/members/people-memberships';
import { type Role, ROLES } from '../../organisations/members/role';
import { USER_STATES, type UserState } from '../../users/account-administration.sql';
import { HAS_WORD } from '../../users/prefix-query';
import type { User } from '../../users/user.entity';
import { type Way, WAY_KINDS, type WayKind } from '../ways/sign-in-ways';

export class UserQuery extends PageQuery {
  @TextField({
    required: false,
    max: 200,
    pattern: HAS_WORD,
    example: 'ada lov',
    description: 'Only accounts with a word in address or name that begins with each of these words, ignoring case.',
  })
  search?: string;

  @EnumField(USER_STATES, { required: false, description: 'Only accounts in this state.' })
  state?: UserState;
}

export class UserClose {
  @BooleanField({
    required: false,
    description:
      'Also close the account if it is the last active OWNER of an organisation, which is then without one until the account is opened again. Without it that is `409 last_owner`.',
  })
  allow_last_owner?: boolean;
}

/** One way in which the person can sign in in a browser. */
export class UserSignInOut {
  @ApiProperty({ enum: WAY_KINDS, enumName: 'SignInKind' })
  kind: WayKind;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'https://login.example.com',
    description: 'The identity provider, for `IDENTITY`.',
  })
  issuer: string | null;
}

/** An organisation to which a person belongs. */
export class UserOrganisationOut {
  @IdField()
  org_id: string;

  @ApiProperty({ example: 'Acme' })
  name: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  role: Role;
}

export class UserOut {
  @IdField()
  id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'ada@example.com' })
  email: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Ada Lovelace' })
  name: string | null;

  @ApiProperty({
    enum: USER_STATES,
    enumName: 'UserState',
    description: '`WAITING`: a directory or an invitation named the address, and nobody has signed in with it yet.',
  })
  state: UserState;

  @ApiProperty({ description: 'By set-up, or because `PLATFORM_ADMINS` names the person.' })
  is_platform_admin: boolean;

  @ApiProperty({ type: [UserSignInOut], description: 'Empty for accounts that only use access tokens.' })
  sign_in: UserSignInOut[];

  @ApiProperty({ type: [UserOrganisationOut], description: 'The first five organisations of the person.' })
  organisations: UserOrganisationOut[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many organisations the person is in, counted up to 100.',
  })
  organisation_count: number;

  @InstantField({ nullable: true, description: 'When the person last signed in in a browser.' })
  last_signed_in_at: string | null;

  @InstantField({ nullable: true })
  closed_at: string | null;

  @InstantField()
  created_at: string;
}

/** A link that lets one person in. */
export class PasswordResetLinkOut {
  @ApiProperty({
    example: 'https://tools.example.com/password-reset/…',
    description: 'Shown only here. Unless `mailed`, give it to the person yourself.',
  })
  link: string;

  @ApiProperty({
    description:
      'Whether the link is also mailed to the address of the account. Always false without `SMTP_URL`; `GET /v1/mails` shows what became of it.',
  })
  mailed: boolean;

  @InstantField({ description: 'When it expires: 24 hours after it was created.' })
  expires_at: string;
}

/** A row as selected by the service. */
export type UserRow = Pick<
  Columns<User>,
  'id' | 'email' | 'name' | 'claimed_at' | 'closed_at' | 'created_at' | 'signed_in_at' | 'is_platform_admin'
>;

/**
 * @param ways of this account
 * @param isAdmin whether the account administers the platform, by its row or by `PLATFORM_ADMINS`
 * @param memberships of this account; undefined: it is in no organisation
 */
export function toUser(
  row: UserRow,
  ways: readonly Way[],
  isAdmin: boolean,
  memberships: PersonMemberships | undefined,
): UserOut {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    state: stateOf(row),
    is_platform_admin: isAdmin,
    sign_in: ways.map(({ kind, issuer }) => ({ kind, issuer })),
    organisations: memberships?.shown ?? [],
    organisation_count: memberships?.count ?? 0,
    last_signed_in_at: row.signed_in_at?.toISOString() ?? null,
    closed_at: row.closed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function stateOf({ closed_at, claimed_at }: UserRow): UserState {
  if (closed_at) return 'CLOSED';
  return claimed_at ? 'ACTIVE' : 'WAITING';
}
