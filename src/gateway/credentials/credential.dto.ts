import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, InstantField, ListField, TextField } from '../../http/requests/fields';
import { text } from '../../http/requests/kinds';
import { PageQuery } from '../../http/requests/page';
import {
  CREDENTIAL_KINDS,
  CREDENTIAL_OWNERS,
  CREDENTIAL_STATUSES,
  type CredentialKind,
  type CredentialOwnerKind,
  type CredentialStatus,
} from './credential-kinds';
import type { CredentialRow } from './credential-store.sql';
import { ChangedValue, NewValue, SecretField, VALUES_TEXT, ValuesField } from './credential-values';

/** Tokens are got by connecting, so no one gives them. */
export const GIVEN_KINDS = ['SECRETS', 'OAUTH_CLIENT'] as const;

const OPTIONAL = { required: false, nullable: true };
const SCOPES = { max: 100, ...OPTIONAL };
const ORIGIN_EXAMPLE = 'https://mcp.example.com';

export class CredentialCreate {
  @EnumField(GIVEN_KINDS, {
    ...OPTIONAL,
    description:
      '`SECRETS`: values for what the `server.json` of the listing marks as secret, or a header `Authorization`. `OAUTH_CLIENT`: a client that is registered at the authorization server. Default: `SECRETS`. Tokens of people are connected instead.',
  })
  kind?: (typeof GIVEN_KINDS)[number] | null;

  @IdField({ ...OPTIONAL, description: 'A bundle, with `entry_id`: the credential is for this entry.' })
  bundle_id?: string | null;

  @IdField({ ...OPTIONAL, description: 'An entry of the bundle.' })
  entry_id?: string | null;

  @BooleanField({
    ...OPTIONAL,
    description:
      'Whether it is yours, and nobody else uses it; otherwise it is of the bundle, for everyone who uses it. Default: false.',
  })
  is_personal?: boolean | null;

  @IdField({
    ...OPTIONAL,
    // Beside the examples of a bundle and its entry, an id would be refused.
    example: null,
    description:
      'An organisation, with `listing_id`: the credential is for the entries with this listing in all its bundles.',
  })
  org_id?: string | null;

  @IdField({ ...OPTIONAL, example: null, description: 'A listing that you may see.' })
  listing_id?: string | null;

  @ValuesField(NewValue, {
    ...OPTIONAL,
    example: { 'X-Api-Key': 'a1b2c3' },
    description: `${VALUES_TEXT} Of \`SECRETS\`.`,
  })
  values?: Record<string, string> | null;

  @TextField({
    ...OPTIONAL,
    min: 1,
    max: 2048,
    description: 'The client id at the authorization server of the MCP server. Required for the type `OAUTH_CLIENT`.',
  })
  client_id?: string | null;

  @SecretField({ ...OPTIONAL, description: 'The secret of that client, if it has one. It is never shown again.' })
  client_secret?: string | null;

  @ListField(text({ min: 1, max: 500 }), { ...SCOPES, description: 'What an `OAUTH_CLIENT` asks for.' })
  scopes?: string[] | null;
}

export class CredentialUpdate {
  @ValuesField(ChangedValue, {
    ...OPTIONAL,
    example: { 'X-Api-Key': 'd4e5f6' },
    description: `${VALUES_TEXT} Those that are not named stay; null removes one.`,
  })
  values?: Record<string, string | null> | null;

  @TextField({ ...OPTIONAL, min: 1, max: 2048, description: 'Absent or null: unchanged.' })
  client_id?: string | null;

  @SecretField({ ...OPTIONAL, description: 'Absent or null: unchanged.' })
  client_secret?: string | null;

  @ListField(text({ min: 1, max: 500 }), { ...SCOPES, description: 'Absent or null: unchanged.' })
  scopes?: string[] | null;

  @TextField({
    ...OPTIONAL,
    min: 1,
    max: 300,
    example: ORIGIN_EXAMPLE,
    description:
      'Confirms that the credential may be sent to where the server is now. Must be that origin; nothing else is changed if it is not.',
  })
  origin?: string | null;
}

export class CredentialQuery extends PageQuery {
  @IdField({ required: false, description: 'Only those for entries of this bundle.' })
  bundle_id?: string;

  @IdField({ required: false, description: 'Only those of this organisation, for listings.' })
  org_id?: string;
}

/** A value that is stored. Nothing of it is shown. */
export class CredentialValueOut {
  @ApiProperty({ example: 'X-Api-Key' })
  name: string;

  @ApiProperty({ enum: [true] })
  is_set: true;

  @InstantField()
  updated_at: string;
}

export class CredentialOut {
  @IdField()
  id: string;

  @ApiProperty({ enum: CREDENTIAL_KINDS })
  kind: CredentialKind;

  @ApiProperty({
    enum: CREDENTIAL_OWNERS,
    description: 'Who uses it: only you, everyone who uses the bundle, or the bundles of the organisation.',
  })
  owner: CredentialOwnerKind;

  @IdField({ nullable: true, description: 'Null: it is for a listing.' })
  bundle_id: string | null;

  @IdField({ nullable: true, description: 'The entry may have been removed from the bundle meanwhile.' })
  entry_id: string | null;

  @IdField({ nullable: true, description: 'Null: it is for an entry.' })
  org_id: string | null;

  @IdField({ nullable: true })
  listing_id: string | null;

  @ApiProperty({ example: ORIGIN_EXAMPLE, description: 'It is sent to this origin only.' })
  origin: string;

  @ApiProperty({
    type: [String],
    description:
      'Other origins to which its entry or listing has pointed since it was given or confirmed. Nothing was sent there.',
  })
  other_origins: string[];

  @ApiProperty({
    enum: CREDENTIAL_STATUSES,
    description: '`RECONNECT`: it is no longer accepted, so it is not sent.',
  })
  status: CredentialStatus;

  @ApiProperty({ type: [CredentialValueOut] })
  values: CredentialValueOut[];

  @ApiProperty({ type: 'string', nullable: true, description: 'The issuer of its tokens.' })
  issuer: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The client id at the issuer.' })
  client_id: string | null;

  @ApiProperty({ type: [String], nullable: true })
  scopes: string[] | null;

  @InstantField({ nullable: true, description: 'When its access token expires, which is renewed before.' })
  expires_at: string | null;

  @IdField({ nullable: true, description: 'Who gave it first; null: the account was deleted.' })
  created_by: string | null;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** A row as the services select it. */
export interface ListedCredentialRow extends CredentialRow {
  readonly value_names: string[];
  readonly value_times: Date[];
}

export function toCredential(row: ListedCredentialRow): CredentialOut {
  return {
    id: row.id,
    kind: row.kind,
    owner: row.owner,
    bundle_id: row.bundle_id,
    entry_id: row.entry_id,
    org_id: row.organisation_id,
    listing_id: row.listing_id,
    origin: row.origin,
    other_origins: row.seen_origins,
    status: row.status,
    values: toValues(row),
    issuer: row.issuer,
    client_id: row.client_id,
    scopes: row.scopes,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toValues({
  value_names: names,
  value_times: times,
}: Pick<ListedCredentialRow, 'value_names' | 'value_times'>): CredentialValueOut[] {
  return names.map((name, index) => ({ name, is_set: true, updated_at: times[index]?.toISOString() ?? '' }));
}
