import { ApiProperty } from '@nestjs/swagger';
import { PINNINGS, type Pinning } from '../../bundles/entries/pinning';
import type { Columns } from '../../database/columns';
import {
  BooleanField,
  EnumField,
  IdField,
  InstantField,
  JsonField,
  ListField,
  ObjectField,
  TextField,
} from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { JsonObject } from '../protocol/json-rpc';
import type { BundleTool } from '../rules/bundle-tool.entity';
import { type FindingCode, FINDINGS } from '../rules/definition-findings';
import { FIXED_ARGUMENTS_CHECK } from './fixed-arguments-check';
import { TOOL_KINDS, type ToolKind } from '../rules/tool-kinds';

/**
 * What becomes of a tool. `LISTED`: clients get it as its server has it, or as overrides say. `CHANGED`: its server has changed it
 * and that is not approved; clients get the approved one, and calls fail. `NEW`: it is not approved, and hidden. `HIDDEN`: an
 * override hides it. `GONE`: its server does not list it any more.
 */
export const TOOL_STATES = ['LISTED', 'CHANGED', 'NEW', 'HIDDEN', 'GONE'] as const;
export type ToolState = (typeof TOOL_STATES)[number];

/** A description that an override gives has at most so many characters. */
const MAX_DESCRIPTION_LENGTH = 8_192;
/** A list shows at most so many characters of a text of a server. */
export const MAX_TEXT_IN_LIST = 1_000;
/** Approved at once. */
export const MAX_APPROVED_AT_ONCE = 2_000;

const DIGEST = '^[0-9a-f]{64}$';
const STATES =
  '`LISTED`: clients get it. `CHANGED`: its server has changed it and no editor has approved that; clients get the approved definition, and calls fail. `NEW`: it is not approved, so it is hidden. `HIDDEN`: an override hides it. `GONE`: its server does not list it any more.';

export class BundleToolQuery extends PageQuery {
  @TextField({ required: false, max: 200, description: 'Only those whose name or title contains this.' })
  search?: string;

  @IdField({ required: false, description: 'Only those of this entry.' })
  entry_id?: string;

  @EnumField(TOOL_KINDS, { required: false })
  kind?: ToolKind;

  @EnumField(TOOL_STATES, { required: false })
  state?: ToolState;

  @EnumField(FINDINGS, { required: false, description: 'Only those with this finding.' })
  finding?: FindingCode;
}

/** What a tool says of itself; the only values that an override can give are the stricter ones. */
export class ToolHintsUpdate {
  @BooleanField({ required: false, nullable: true, description: 'False, or null: as its server says.' })
  readOnlyHint?: boolean | null;

  @BooleanField({ required: false, nullable: true, description: 'True, or null: as its server says.' })
  destructiveHint?: boolean | null;

  @BooleanField({ required: false, nullable: true, description: 'False, or null: as its server says.' })
  idempotentHint?: boolean | null;

  @BooleanField({ required: false, nullable: true, description: 'True, or null: as its server says.' })
  openWorldHint?: boolean | null;
}

export class BundleToolUpdate {
  @BooleanField({ required: false, nullable: true, description: 'Whether clients get it. Absent or null: unchanged.' })
  is_enabled?: boolean | null;

  @TextField({
    required: false,
    nullable: true,
    min: 1,
    max: 64,
    pattern: '^[A-Za-z0-9_-]+$',
    description:
      'The name that clients see, of a tool or a prompt: at most `name_budget` characters, unique in the bundle. Null: its usual one. Absent: unchanged.',
  })
  name?: string | null;

  @TextField({
    required: false,
    nullable: true,
    min: 1,
    max: 200,
    description: 'Null: as its server says. Absent: unchanged.',
  })
  title?: string | null;

  @TextField({
    required: false,
    nullable: true,
    min: 1,
    max: MAX_DESCRIPTION_LENGTH,
    description: 'Null: as its server says. Absent: unchanged.',
  })
  description?: string | null;

  @ObjectField(ToolHintsUpdate, {
    required: false,
    nullable: true,
    description:
      'Annotations of a tool can only be made stricter. They replace those that were set before. Null: as its server says. Absent: unchanged.',
  })
  annotations?: ToolHintsUpdate | null;

  @JsonField({
    required: false,
    nullable: true,
    schema: { additionalProperties: true },
    check: FIXED_ARGUMENTS_CHECK,
    example: { repository: 'acme/website' },
    description:
      'Arguments of a tool that clients neither see nor send, and their values: they are taken out of its schema and put into each call. Each must be in the schema and fit it. At most 16 KiB. Null: none. Absent: unchanged.',
  })
  fixed_arguments?: JsonObject | null;
}

export class BundleToolApprove {
  @TextField({
    pattern: DIGEST,
    example: '8d969eef6ecad3c29a3a629280e686cf0c3f5d5a86aff3ca12020c923adc6c92',
    description: 'The digest of the definition that you have looked at.',
  })
  digest: string;

  @TextField({
    required: false,
    nullable: true,
    pattern: DIGEST,
    example: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    description:
      'The `shown_digest` that you have looked at. Absent or null: whatever clients would show of the definition now.',
  })
  shown_digest?: string | null;
}

export class BundleToolApproval extends BundleToolApprove {
  @IdField({ description: 'A tool of the bundle.' })
  id: string;
}

export class BundleToolsApprove {
  @ListField(BundleToolApproval, { max: MAX_APPROVED_AT_ONCE, description: 'All of them are approved, or none.' })
  tools: BundleToolApproval[];
}

export class BundleToolsApprovedOut {
  @ApiProperty({ type: 'integer', example: 8, description: 'The version of the bundle that it is at now.' })
  version: number;

  @ApiProperty({ type: 'integer', description: 'How many definitions were approved that were not before.' })
  approved_count: number;
}

export class BundleToolFindingOut {
  @ApiProperty({
    enum: FINDINGS,
    description:
      '`invisible_characters`: a model reads what people do not see. `oversized_description`: more text than a tool needs. `names_other_tools`: its texts name tools of other entries. For your information; nothing follows from it.',
  })
  code: FindingCode;

  @ApiProperty({ description: 'For people; its wording may change.' })
  detail: string;
}

export class BundleToolOut {
  @IdField()
  id: string;

  @IdField()
  entry_id: string;

  @ApiProperty({ example: 'weather', description: 'The key of the entry.' })
  entry_key: string;

  @ApiProperty({ enum: TOOL_KINDS })
  kind: ToolKind;

  @ApiProperty({
    example: 'get_forecast',
    description: 'The name of a tool or a prompt, or a template, as its server has it.',
  })
  upstream_name: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'As its server lists it now.' })
  upstream_title: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: `As its server lists it now: at most its first ${MAX_TEXT_IN_LIST.toLocaleString('en')} characters. \`definition\` has the whole.`,
  })
  upstream_description: string | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'boolean' },
    example: { readOnlyHint: true },
    description: 'The annotations that its server lists now and that are yes or no, at most 16.',
  })
  upstream_annotations: Readonly<Record<string, boolean>> | null;

  @ApiProperty({
    example: 'weather__get_forecast',
    description: 'As clients see it, unless another one has the same name (`POST …/compile` says so).',
  })
  name: string;

  @ApiProperty({ enum: TOOL_STATES, description: STATES })
  state: ToolState;

  @ApiProperty({ enum: PINNINGS, description: 'The pinning of its entry.' })
  pinning: Pinning;

  @ApiProperty({ description: 'The SHA-256 of its definition, in hex: of canonical JSON (RFC 8785) without icons.' })
  digest: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The digest of the definition that is approved; the present one if it is. Null: none is.',
  })
  approved_digest: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The SHA-256 of what clients show besides, in hex: icons, and keys of `_meta` such as those of `openai/`. Null: not known yet, or it changes all the time and is not compared.',
  })
  shown_digest: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The one that is approved. Null: whatever it is.' })
  approved_shown_digest: string | null;

  @IdField({ nullable: true, description: 'Who approved it.' })
  approved_by: string | null;

  @InstantField({ nullable: true })
  approved_at: string | null;

  @ApiProperty({ description: 'Whether overrides do not hide it.' })
  is_enabled: boolean;

  @ApiProperty({
    description: 'Whether the policies of the bundle let you use it; `state` says whether anyone is offered it.',
  })
  may_use: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'The name that an override gives it.' })
  name_override: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The title that an override gives it.' })
  title: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The description that an override gives it.' })
  description: string | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'boolean' },
    description: 'The annotations that an override makes stricter.',
  })
  annotations: Readonly<Record<string, boolean>> | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'Fixed arguments and their values. Null: none, or you may not change the bundle.',
  })
  fixed_arguments: JsonObject | null;

  @ApiProperty({
    type: [BundleToolFindingOut],
    description: 'What is odd in the definition that its server lists now.',
  })
  findings: BundleToolFindingOut[];

  @InstantField({ description: 'When it was first noticed in this bundle.' })
  first_seen_at: string;

  @InstantField({ description: 'When it was last noticed that it had changed, gone or come back.' })
  changed_at: string;
}

/** A definition of a tool, now or before. */
export class BundleToolDefinitionOut {
  @ApiProperty({ description: 'Its digest, in hex.' })
  digest: string;

  @ApiProperty({ description: 'Whether its server lists it now.' })
  is_listed: boolean;

  @ApiProperty({ description: 'Whether it is approved.' })
  is_approved: boolean;

  @InstantField()
  first_seen_at: string;

  @InstantField({
    description: 'When it was last seen to change; a definition that is listed is seen with each reading.',
  })
  last_seen_at: string;
}

export class BundleToolDetailOut extends BundleToolOut {
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'As its server defines it now. Null: it does not, or has not been asked since.',
  })
  definition: JsonObject | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'As clients get it. Null: they do not.',
  })
  shown: JsonObject | null;

  @ApiProperty({
    type: [BundleToolDefinitionOut],
    description: 'The definitions that its server has had, latest first; at most 20. They are kept for 90 days.',
  })
  definitions: BundleToolDefinitionOut[];
}

/** A row as the service selects it. */
export type BundleToolRow = Pick<
  Columns<BundleTool>,
  'id' | 'entry_id' | 'kind' | 'name' | 'is_listed' | 'first_seen_at' | 'changed_at'
> & {
  digest: string;
  entry_key: string;
  pinning: Pinning;
  state: ToolState;
  approved_digest: string | null;
  shown_digest: string | null;
  approved_shown_digest: string | null;
  approved_by: string | null;
  approved_at: Date | null;
  is_enabled: boolean;
  exposed_name: string | null;
  title: string | null;
  description: string | null;
  annotations: Readonly<Record<string, boolean>> | null;
  fixed_arguments: JsonObject | null;
};

/** What the server of a tool says of it now. */
export interface ListedTool {
  readonly title: string | null;
  readonly description: string | null;
  readonly annotations: Readonly<Record<string, boolean>> | null;
  readonly findings: readonly BundleToolFindingOut[];
}

/** What the caller may know of a tool, and do with it. */
export interface ToolRights {
  /** Whether they may know fixed arguments. */
  readonly showsValues: boolean;
  readonly mayUse: boolean;
}

/**
 * @param name as clients see it
 * @param listed undefined: its server does not list it
 */
export function toBundleTool(
  row: BundleToolRow,
  name: string,
  listed: ListedTool | undefined,
  { showsValues, mayUse }: ToolRights,
): BundleToolOut {
  return {
    id: row.id,
    entry_id: row.entry_id,
    entry_key: row.entry_key,
    kind: row.kind,
    upstream_name: row.name,
    upstream_title: listed?.title ?? null,
    upstream_description: listed?.description ?? null,
    upstream_annotations: listed?.annotations ?? null,
    name,
    state: row.state,
    pinning: row.pinning,
    digest: row.digest,
    approved_digest: row.approved_digest,
    shown_digest: row.shown_digest,
    approved_shown_digest: row.approved_shown_digest,
    approved_by: row.approved_by,
    approved_at: row.approved_at?.toISOString() ?? null,
    is_enabled: row.is_enabled,
    may_use: mayUse,
    name_override: row.exposed_name,
    title: row.title,
    description: row.description,
    annotations: row.annotations,
    fixed_arguments: showsValues ? row.fixed_arguments : null,
    findings: [...(listed?.findings ?? [])],
    first_seen_at: row.first_seen_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  };
}
