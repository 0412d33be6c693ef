import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import {
  BooleanField,
  EnumField,
  FormatField,
  IdField,
  InstantField,
  IntegerField,
  JsonField,
  ListField,
  TextField,
} from '../../http/requests/fields';
import type { BundleEntry } from './bundle-entry.entity';
import { CREDENTIAL_MODES, type CredentialMode } from './credential-mode';
import { CONFIG_DESCRIPTION, CONFIG_FIELD } from './entry-config';
import { ENTRY_ENDPOINT_FORMAT, MAX_ENDPOINT_URL_LENGTH } from './entry-endpoint';
import { id } from '../../http/requests/kinds';
import { type EntryConfig, MAX_ENTRIES } from './entry-list';
import { PINNINGS, type Pinning } from './pinning';
import { BASE_VERSION } from '../versions/base-version';
import { VERSION_NOTE } from '../versions/version-note';

const POSITION = { required: false, nullable: true, min: 0 };
const FLAG = { required: false, nullable: true };
const VERSION = { required: false, nullable: true, min: 1, max: 255, example: '1.2.0' };
const MODE_DESCRIPTION =
  'The credential that the endpoint of the bundle sends to the server. `NONE`: none. `SHARED`: that of the bundle, or of its organisation. `PERSONAL`: that of the person who calls. `PERSONAL_OR_SHARED`: theirs if they have one, else the shared one.';
const PINNING =
  'What happens when its server changes the definition of a tool, prompt or template. `OFF`: the new one is served. `WARN`: the new one is served, and an event says so. `APPROVE`: the approved one stays in the list and calls of it fail until an editor has approved the new one; what is new stays hidden. Setting `APPROVE` approves what its server lists at that moment, as far as that is known.';
const ENDPOINT_URL =
  'Where its server runs, for a listing that has only packages, or no remote server that speaks Streamable HTTP: the endpoint of the bundle then uses it like a remote server. https; http only for hosts in networks that the operator allows. No secrets: those belong to credentials. It stays if a later version of the listing has a remote server.';
const ENDPOINT_URL_FIELD = {
  required: false,
  nullable: true,
  min: 1,
  max: MAX_ENDPOINT_URL_LENGTH,
  example: 'https://mcp-weather.example.com/mcp',
};

export class BundleEntryAdd {
  @IdField({ description: 'A listing that you may see and that is not in the bundle yet.' })
  listing_id: string;

  @IntegerField({
    ...POSITION,
    description: 'From 0; the entries at and after this position move down by one. Default: at the end.',
  })
  position?: number | null;

  @TextField({
    ...VERSION,
    description: 'The version of the listing to which the entry is pinned. Null or absent: it follows the newest.',
  })
  version?: string | null;

  @BooleanField({ ...FLAG, description: 'True when it is left out.' })
  is_enabled?: boolean | null;

  @JsonField({ ...CONFIG_FIELD, description: `${CONFIG_DESCRIPTION} Empty when it is left out.` })
  config?: EntryConfig | null;

  @EnumField(CREDENTIAL_MODES, { ...FLAG, description: `${MODE_DESCRIPTION} \`NONE\` when it is left out.` })
  credential_mode?: CredentialMode | null;
  @EnumField(PINNINGS, {
    ...FLAG,
    description: `${PINNING} When it is left out: \`WARN\` if the listing is public, else \`OFF\`.`,
  })
  pinning?: Pinning | null;

  @FormatField(ENTRY_ENDPOINT_FORMAT, {
    ...ENDPOINT_URL_FIELD,
    description: `${ENDPOINT_URL} None when it is left out.`,
  })
  endpoint_url?: string | null;
}

export class BundleEntryUpdate {
  @IntegerField({
    ...POSITION,
    description: 'The new position, from 0; the entries in between move by one. Absent or null: unchanged.',
  })
  position?: number | null;

  @TextField({
    ...VERSION,
    description:
      'The version of the listing to which the entry is pinned. Null: it follows the newest. Absent: unchanged.',
  })
  version?: string | null;

  @BooleanField({ ...FLAG, description: 'Absent or null: unchanged.' })
  is_enabled?: boolean | null;

  @JsonField({ ...CONFIG_FIELD, description: `Replaces the existing configuration. ${CONFIG_DESCRIPTION}` })
  config?: EntryConfig | null;

  @EnumField(CREDENTIAL_MODES, { ...FLAG, description: `${MODE_DESCRIPTION} Absent or null: unchanged.` })
  credential_mode?: CredentialMode | null;
  @EnumField(PINNINGS, { ...FLAG, description: `${PINNING} Absent or null: unchanged.` })
  pinning?: Pinning | null;

  @FormatField(ENTRY_ENDPOINT_FORMAT, {
    ...ENDPOINT_URL_FIELD,
    description: `${ENDPOINT_URL} Null: none. Absent: unchanged.`,
  })
  endpoint_url?: string | null;
}

export class BundleEntryChange extends BundleEntryUpdate {
  @IdField({ description: 'An entry of the bundle.' })
  id: string;
}

/** An entry in a list that replaces the entries of the bundle. */
export class BundleEntryPlace {
  @IdField({ required: false, nullable: true, description: 'An entry of the bundle. Either this or `listing_id`.' })
  id?: string | null;

  @IdField({
    required: false,
    nullable: true,
    description: 'The listing of an entry of the bundle, or a listing to add. Either this or `id`.',
  })
  listing_id?: string | null;

  @TextField({
    ...VERSION,
    description:
      'The version of the listing to which the entry is pinned. Null: it follows the newest. Absent: as it is; a new entry follows the newest.',
  })
  version?: string | null;

  @BooleanField({ ...FLAG, description: 'Absent or null: as it is; true for a new entry.' })
  is_enabled?: boolean | null;

  @JsonField({ ...CONFIG_FIELD, description: `${CONFIG_DESCRIPTION} Absent or null: as it is; empty for a new entry.` })
  config?: EntryConfig | null;

  @EnumField(CREDENTIAL_MODES, {
    ...FLAG,
    description: `${MODE_DESCRIPTION} Absent or null: as it is; \`NONE\` for a new entry.`,
  })
  credential_mode?: CredentialMode | null;
  @EnumField(PINNINGS, {
    ...FLAG,
    description: `${PINNING} Absent or null: as it is; for a new entry \`WARN\` if the listing is public, else \`OFF\`.`,
  })
  pinning?: Pinning | null;

  @FormatField(ENTRY_ENDPOINT_FORMAT, {
    ...ENDPOINT_URL_FIELD,
    description: `${ENDPOINT_URL} Null: none. Absent: as it is; none for a new entry.`,
  })
  endpoint_url?: string | null;
}

export class BundleEntriesReplace {
  @ListField(BundleEntryPlace, {
    max: MAX_ENTRIES,
    description: `All entries in their order, at most ${MAX_ENTRIES}. Existing entries that are not listed are removed.`,
  })
  entries: BundleEntryPlace[];

  @IntegerField(BASE_VERSION)
  base_version?: number | null;

  @TextField(VERSION_NOTE)
  note?: string | null;
}

export class BundleEntriesChange {
  @ListField(id(), {
    max: MAX_ENTRIES,
    required: false,
    description: 'Entries to remove.',
  })
  remove?: string[];

  @ListField(BundleEntryChange, { max: MAX_ENTRIES, required: false })
  update?: BundleEntryChange[];

  @ListField(BundleEntryAdd, { max: MAX_ENTRIES, isClosed: true, required: false })
  add?: BundleEntryAdd[];

  @IntegerField(BASE_VERSION)
  base_version?: number | null;

  @TextField(VERSION_NOTE)
  note?: string | null;
}

/** An entry, in the list of a bundle or in one of its versions. */
export class ListedEntryOut {
  @IdField()
  id: string;

  @IdField({ nullable: true, description: 'Null if the listing was deleted, or you may not see it.' })
  listing_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'io.github.acme/weather',
    description: 'The current or last name of the listing. Null if you may not see it.',
  })
  listing_name: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Weather',
    description: 'The title of the listing now. Null if the listing was deleted, or you may not see it.',
  })
  listing_title: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'weather',
    description:
      'The name of the server in exported configurations: 1–64 characters `[A-Za-z0-9_-]`, unique in the bundle, unchanged as long as the entry exists. Null if you may not see the listing.',
  })
  key: string | null;

  @ApiProperty({ type: 'integer' })
  position: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: null,
    description:
      'The version of the listing to which the entry is pinned. Null: it follows the newest, or you may not see the listing.',
  })
  version: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: '1.2.0',
    description:
      'The effective version: the pinned one, else the newest one now, or, in a version of the bundle, the newest one when that version was created. Null if the listing had been deleted, or you may not see it.',
  })
  listing_version: string | null;

  @ApiProperty()
  is_enabled: boolean;

  @ApiProperty({
    description:
      'False if the listing was archived or deleted, if its effective version was deleted, or if you may not see the listing; the entry stays.',
  })
  is_available: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true })
  config: EntryConfig;

  @ApiProperty({ enum: CREDENTIAL_MODES, description: MODE_DESCRIPTION })
  credential_mode: CredentialMode;
  @ApiProperty({ enum: PINNINGS, description: PINNING })
  pinning: Pinning;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: null,
    description: `${ENDPOINT_URL} Null: there is none, or you see the bundle only because it is public.`,
  })
  endpoint_url: string | null;
}

export class BundleEntryOut extends ListedEntryOut {
  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** All entries of a bundle, after a change of several. */
export class BundleEntriesOut {
  @ApiProperty({ type: 'integer', example: 7, description: 'The current version of the bundle.' })
  version: number;

  @ApiProperty({ type: [BundleEntryOut], description: 'In the order of their positions.' })
  entries: BundleEntryOut[];
}

/** A row as the services select it. */
export type BundleEntryRow = ListedEntryOut & Pick<Columns<BundleEntry>, 'created_at' | 'updated_at'>;

export function toListedEntry(row: ListedEntryOut): ListedEntryOut {
  return {
    id: row.id,
    listing_id: row.listing_id,
    listing_name: row.listing_name,
    listing_title: row.listing_title,
    key: row.key,
    position: row.position,
    version: row.version,
    listing_version: row.listing_version,
    is_enabled: row.is_enabled,
    is_available: row.is_available,
    config: row.config,
    credential_mode: row.credential_mode,
    pinning: row.pinning,
    endpoint_url: row.endpoint_url,
  };
}

export function toBundleEntry(row: BundleEntryRow): BundleEntryOut {
  return {
    ...toListedEntry(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
