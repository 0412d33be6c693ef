import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../http/requests/fields';
import { EMAIL_STATES, type EmailState } from '../auth/verified-address';
import { type Role, ROLES } from '../organisations/members/role';

export class MeOrganisationOut {
  @IdField()
  org_id: string;

  @ApiProperty({ example: 'Acme' })
  name: string;

  @ApiProperty({ example: 'acme' })
  slug: string;

  @ApiProperty({
    enum: [...ROLES, null],
    type: 'string',
    nullable: true,
    description: 'Null while you are suspended: you have no access, but can leave.',
  })
  role: Role | null;

  @ApiProperty({ description: 'Whether the directory of the organisation has you deactivated or deleted.' })
  suspended: boolean;
}

/** What the access token says, and what it was taken for. */
export class SignInOut {
  @ApiProperty({ example: 'https://login.example.com/realms/acme', description: '`iss` of the access token.' })
  issuer: string;

  @ApiProperty({
    example: '4f7c0a52-…',
    description: '`sub` of the access token: with the issuer it names the account.',
  })
  subject: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'alice@example.com',
    description: '`email` of the access token, verified or not; null without a usable one.',
  })
  email: string | null;

  @ApiProperty({
    enum: EMAIL_STATES,
    enumName: 'EmailState',
    description:
      'Whether that address counts as verified, and why. It counts by `email_verified`, by `xms_edov` of Entra ID, and of a `trusted_issuer` (`OIDC_TRUST_EMAIL`); not if it is `not_verified`, `unusable` or `missing`.',
  })
  email_state: EmailState;

  @ApiProperty({ description: 'The same in a sentence for a person; its wording may change.' })
  detail: string;
}

export class MeOut {
  @IdField()
  id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'alice@example.com',
    description: 'Null while no issuer has verified one.',
  })
  email: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Alice' })
  name: string | null;

  @ApiProperty({
    description:
      'Listed in `PLATFORM_ADMINS`, or by a token of `npm run token -- --admin`; may change categories and moderate.',
  })
  is_platform_admin: boolean;

  @ApiProperty({ type: SignInOut, description: 'How you signed in, and why a directory may not recognise you.' })
  sign_in: SignInOut;

  @ApiProperty({ type: [MeOrganisationOut] })
  organisations: MeOrganisationOut[];
}
