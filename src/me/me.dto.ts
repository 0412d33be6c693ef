import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../http/requests/fields';
import { type ApiScope, type DeletionScope, TOKEN_SCOPE_NAMES } from '../auth/scopes';
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
    description: 'Null while you are suspended: you have no access but can leave.',
  })
  role: Role | null;

  @ApiProperty({ description: 'Whether the directory of the organisation has deactivated or deleted you.' })
  suspended: boolean;
}

/** The claims of the access token and how they were interpreted. */
export class SignInOut {
  @ApiProperty({ example: 'https://login.example.com/realms/acme', description: '`iss` of the access token.' })
  issuer: string;

  @ApiProperty({
    example: '4f7c0a52-…',
    description: '`sub` of the access token. Together with the issuer it identifies the account.',
  })
  subject: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'alice@example.com',
    description: '`email` of the access token, verified or not; null if there is no usable one.',
  })
  email: string | null;

  @ApiProperty({
    enum: EMAIL_STATES,
    enumName: 'EmailState',
    description:
      'Whether the address counts as verified, and why. It does with `email_verified`, `xms_edov` (Entra ID) and `trusted_issuer` (`OIDC_TRUST_EMAIL`); it does not with `not_verified`, `unusable` and `missing`.',
  })
  email_state: EmailState;

  @ApiProperty({ description: 'The same as a sentence for humans; its wording may change.' })
  detail: string;
}

export class MeOut {
  @IdField()
  id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'alice@example.com',
    description: 'The verified address; null if no issuer has verified one.',
  })
  email: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Alice' })
  name: string | null;

  @ApiProperty({
    description:
      'Whether you are listed in `PLATFORM_ADMINS` or use a token from `npm run token -- --admin`, and your token is not limited to scopes without `platform:admin`. Platform administrators manage categories and moderate.',
  })
  is_platform_admin: boolean;

  @ApiProperty({
    enum: TOKEN_SCOPE_NAMES,
    enumName: 'TokenScope',
    isArray: true,
    nullable: true,
    description: 'What the token of this request is limited to. Null: to nothing but your roles.',
  })
  scopes: (ApiScope | DeletionScope)[] | null;

  @ApiProperty({
    type: SignInOut,
    nullable: true,
    description:
      'How you signed in, and why a directory may not recognise you. Null with a personal access token, which has no claims of an issuer.',
  })
  sign_in: SignInOut | null;

  @ApiProperty({ type: [MeOrganisationOut] })
  organisations: MeOrganisationOut[];
}
