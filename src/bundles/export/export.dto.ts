import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, IntegerField, TextField } from '../../http/requests/fields';
import { EXPORT_CLIENTS, type ExportClient } from './export-client';
import { SKIP_REASONS, type SkipReason } from '../launch/skip';

export const EXPORT_FORMATS = ['file', 'report'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class BundleExportQuery {
  @EnumField(EXPORT_CLIENTS, {
    description:
      'The client to export for. `compose` and `kubernetes` run the servers that are packages, each in a container with a bridge to Streamable HTTP.',
  })
  client: ExportClient;

  @EnumField(EXPORT_FORMATS, {
    required: false,
    default: 'file',
    description:
      '`file`: exactly what the client reads, to be saved as it is. `report`: the same, with the values that its user has to provide, what is left out, and why.',
  })
  format: ExportFormat;

  @IntegerField({
    min: 1,
    required: false,
    description:
      'A version of the bundle, such as that of a deployment, with exactly the versions of the listings that it recorded. When it is left out, the entries of now: those that follow the newest version of their listing have the newest.',
  })
  version?: number;

  @TextField({
    max: 63,
    pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
    required: false,
    description:
      'A runtime that isolates the containers further. For `compose` the `runtime` of each service, as Docker knows it (of gVisor usually `runsc`); for `kubernetes` the `runtimeClassName` of each pod, the name of a RuntimeClass in the cluster (such as `gvisor`).',
  })
  runtime_class?: string;
}

/** Read by VS Code from `.vscode/mcp.json`. */
export class VsCodeConfigurationOut {
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  inputs: object[];

  @ApiProperty({ type: 'object', additionalProperties: true })
  servers: object;
}

/** Read by Claude Code, Claude Desktop and Cursor. */
export class McpServersConfigurationOut {
  @ApiProperty({ type: 'object', additionalProperties: true })
  mcpServers: object;
}

export class ExportedInputOut {
  @ApiProperty({ example: 'github', description: 'The key of the server.' })
  server: string;

  @ApiProperty({ example: 'GITHUB_TOKEN', description: 'Its name in the server.' })
  name: string;

  @ApiProperty({ type: 'string', nullable: true })
  description: string | null;

  @ApiProperty()
  is_secret: boolean;

  @ApiProperty({ description: 'Whether the server needs a value.' })
  is_required: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: '${input:github.GITHUB_TOKEN}',
    description:
      'Its placeholder in the configuration. Null: it was left out, because the client cannot ask and the server needs no value.',
  })
  placeholder: string | null;
}

const LISTING_VERSION = {
  type: 'string',
  nullable: true,
  example: '1.2.0',
  description: 'The effective version of the listing.',
} as const;

/** An entry that is in the configuration. */
export class ExportedEntryOut {
  @IdField()
  entry_id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'io.github.acme/weather' })
  listing_name: string | null;

  @ApiProperty(LISTING_VERSION)
  listing_version: string | null;

  @ApiProperty({ example: 'weather' })
  key: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'http://127.0.0.1:24113/mcp',
    description:
      'For `compose` and `kubernetes`: the address of the server once it runs, for the `endpoint_url` of the entry.',
  })
  endpoint_url: string | null;
}

export class SkippedEntryOut {
  @IdField()
  entry_id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'io.github.acme/weather' })
  listing_name: string | null;

  @ApiProperty(LISTING_VERSION)
  listing_version: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'weather' })
  key: string | null;

  @ApiProperty({ enum: SKIP_REASONS })
  reason: SkipReason;

  @ApiProperty({ description: 'For a person; its wording may change.' })
  detail: string;
}

export class ExportWarningOut {
  @IdField()
  entry_id: string;

  @ApiProperty({ example: 'weather' })
  key: string;

  @ApiProperty({ description: 'For a person; its wording may change.' })
  detail: string;
}

export class BundleExportOut {
  @ApiProperty({ enum: EXPORT_CLIENTS })
  client: ExportClient;

  @ApiProperty({ type: 'integer', description: 'The version of the bundle.' })
  version: number;

  @ApiProperty({ example: '.vscode/mcp.json', description: 'The file that the client reads.' })
  path: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The contents of that file. Of `kubernetes`: a `List` of its documents.',
  })
  configuration: object;

  @ApiProperty({ type: [ExportedEntryOut], description: 'The entries that are in the configuration.' })
  servers: ExportedEntryOut[];

  @ApiProperty({ type: [ExportedInputOut], description: 'The values that the user of the client has to provide.' })
  inputs: ExportedInputOut[];

  @ApiProperty({ type: [SkippedEntryOut], description: 'The entries that were left out of the configuration.' })
  skipped: SkippedEntryOut[];

  @ApiProperty({ type: [ExportWarningOut] })
  warnings: ExportWarningOut[];

  @ApiProperty({
    type: [String],
    description:
      'About the file as a whole: what to do with it, and what it cannot express. For a person; their wording may change.',
  })
  notes: string[];
}
