import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  EnumField,
  IdField,
  InstantField,
  IntegerField,
  ListField,
  NameField,
  TextField,
} from '../../../http/requests/fields';
import { oneOf, text } from '../../../http/requests/kinds';
import { visibleText } from '../../../pages/visible-text';
import { NO_NAME } from '../client-name';
import { APPLICATION_TYPES, CLIENT_AUTH_METHODS, type ClientMetadata, MAX_REDIRECT_URIS } from '../client-rules';
import { CLIENT_SOURCES, type ClientSource } from '../oauth-client.entity';

export const CLIENT_GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;

const uri = () => text({ min: 1, max: 2_000 });

const SCOPE = {
  max: 1_000,
  example: 'catalog:read',
  description: 'The scopes it may ask for, separated by spaces. Absent: all of them.',
};

export class OAuthClientCreate {
  @NameField({ description: 'As people see it on the consent page.' })
  name: string;

  @ListField(uri(), {
    max: MAX_REDIRECT_URIS,
    required: false,
    description: 'Compared letter by letter; only the port of a loopback address does not matter.',
    example: ['https://tools.example.com/callback'],
  })
  redirect_uris?: string[];

  @ListField(oneOf(CLIENT_GRANT_TYPES), {
    max: CLIENT_GRANT_TYPES.length,
    required: false,
    description:
      'By default `authorization_code` and `refresh_token`. With `client_credentials` the client has an account of its own.',
  })
  grant_types?: string[];

  @EnumField(CLIENT_AUTH_METHODS, {
    required: false,
    description: 'By default `client_secret_basic`; `none` for programs that cannot keep a secret.',
  })
  token_endpoint_auth_method?: string;

  @EnumField(APPLICATION_TYPES, {
    required: false,
    description: 'By default `native` if a redirect URI is a loopback address or has a scheme of its own, else `web`.',
  })
  application_type?: string;

  @TextField({ ...SCOPE, required: false })
  scope?: string;

  @ListField(uri(), {
    max: MAX_REDIRECT_URIS,
    required: false,
    description: 'Where it may send people after signing out.',
  })
  post_logout_redirect_uris?: string[];

  @TextField({ max: 2_000, required: false, description: 'Where it is notified when a person signs out.' })
  backchannel_logout_uri?: string;

  @TextField({ max: 2_000, required: false, description: 'Its public keys, for `private_key_jwt`.' })
  jwks_uri?: string;

  @BooleanField({ required: false, description: 'People are not asked for their consent. By default false.' })
  is_trusted?: boolean;
}

export class OAuthClientUpdate {
  @NameField({ required: false })
  name?: string;

  @ListField(uri(), { max: MAX_REDIRECT_URIS, required: false })
  redirect_uris?: string[];

  @TextField({ ...SCOPE, required: false, nullable: true, description: 'Null: all scopes.' })
  scope?: string | null;

  @ListField(uri(), { max: MAX_REDIRECT_URIS, required: false })
  post_logout_redirect_uris?: string[];

  @TextField({ max: 2_000, required: false, nullable: true })
  backchannel_logout_uri?: string | null;

  @TextField({ max: 2_000, required: false, nullable: true })
  jwks_uri?: string | null;

  @BooleanField({ required: false })
  is_trusted?: boolean;
}

export class OAuthClientSecretRotation {
  @IntegerField({
    min: 0,
    max: 604_800,
    required: false,
    description: 'Seconds for which the present secret stays valid; by default a day.',
  })
  grace_seconds?: number;
}

export class OAuthClientSecretOut {
  @IdField()
  id: string;

  @InstantField({ nullable: true, description: 'Null until it is rotated.' })
  expires_at: string | null;

  @InstantField()
  created_at: string;
}

export class OAuthClientOut {
  @IdField({ description: 'Also its `client_id`.' })
  id: string;

  @ApiProperty({ example: 'Reports' })
  name: string;

  @ApiProperty({
    enum: CLIENT_SOURCES,
    description: '`REGISTRATION`: it has registered itself (RFC 7591), and is deleted after 30 days without use.',
  })
  source: ClientSource;

  @ApiProperty({ type: [String] })
  redirect_uris: string[];

  @ApiProperty({ type: [String] })
  grant_types: string[];

  @ApiProperty({ example: 'client_secret_basic' })
  token_endpoint_auth_method: string;

  @ApiProperty({ example: 'web' })
  application_type: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null: all scopes.' })
  scope: string | null;

  @ApiProperty({ type: [String] })
  post_logout_redirect_uris: string[];

  @ApiProperty({ type: String, nullable: true })
  backchannel_logout_uri: string | null;

  @ApiProperty({ type: String, nullable: true })
  jwks_uri: string | null;

  @ApiProperty()
  is_trusted: boolean;

  @ApiProperty({
    type: [OAuthClientSecretOut],
    description: 'At most two that have not expired, without their values.',
  })
  secrets: OAuthClientSecretOut[];

  @InstantField({ description: 'To the day.' })
  last_used_at: string;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

export class OAuthClientCreatedOut extends OAuthClientOut {
  @ApiProperty({ type: String, nullable: true, description: 'Shown only now. Null if the client uses none.' })
  client_secret: string | null;
}

/** A row, with its secrets. */
export interface OAuthClientRow {
  id: string;
  name: string;
  source: ClientSource;
  metadata: ClientMetadata;
  is_trusted: boolean;
  last_used_at: Date;
  created_at: Date;
  updated_at: Date;
  /** As JSON: times are texts. */
  secrets: { id: string; expires_at: string | null; created_at: string }[];
}

export function toOAuthClient(row: OAuthClientRow): OAuthClientOut {
  const { metadata } = row;
  return {
    id: row.id,
    name: row.source === 'REGISTRATION' ? (visibleText(row.name) ?? NO_NAME) : row.name,
    source: row.source,
    redirect_uris: texts(metadata.redirect_uris),
    grant_types: texts(metadata.grant_types),
    token_endpoint_auth_method: textOr(metadata.token_endpoint_auth_method) ?? 'client_secret_basic',
    application_type: textOr(metadata.application_type) ?? 'web',
    scope: textOr(metadata.scope),
    post_logout_redirect_uris: texts(metadata.post_logout_redirect_uris),
    backchannel_logout_uri: textOr(metadata.backchannel_logout_uri),
    jwks_uri: textOr(metadata.jwks_uri),
    is_trusted: row.is_trusted,
    secrets: row.secrets.map(({ id, expires_at, created_at }) => ({
      id,
      expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
      created_at: new Date(created_at).toISOString(),
    })),
    last_used_at: row.last_used_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
