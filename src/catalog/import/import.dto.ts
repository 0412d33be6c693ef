import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField } from '../../http/requests/fields';
import type { QuarantinedDocument } from './import-quarantine.entity';
import type { ImportRun } from './import-run';
import type { Reason } from './incoming';

const COUNT = { type: 'integer' } as const;

export class ImportRunOut {
  @IdField()
  id: string;

  @ApiProperty({
    example: 'https://registry.modelcontextprotocol.io',
    description: 'The address of the registry, or `file`.',
  })
  source: string;

  @ApiProperty({ enum: ['whole', 'incremental'] })
  mode: ImportRun['mode'];

  @ApiProperty({ enum: ['running', 'finished', 'failed'] })
  status: ImportRun['status'];

  @ApiProperty({ ...COUNT, description: 'Versions read from the source.' })
  seen: number;

  @ApiProperty({ ...COUNT, description: 'New versions.' })
  created: number;

  @ApiProperty({ ...COUNT, description: 'Versions whose status changed.' })
  updated: number;

  @ApiProperty({ ...COUNT, description: 'Versions that already existed.' })
  unchanged: number;

  @ApiProperty({ ...COUNT, description: 'Versions that could not be imported; see the quarantine.' })
  quarantined: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the import failed.' })
  error: string | null;

  @InstantField()
  started_at: string;

  @InstantField({ description: 'When the last page was imported.' })
  updated_at: string;

  @InstantField({ nullable: true })
  finished_at: string | null;
}

export class QuarantinedOut {
  @ApiProperty({ description: 'The registry, or `file`.' })
  source: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Null if the document has no name.' })
  name: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  version: string | null;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['path', 'message'],
      additionalProperties: false,
      properties: {
        path: { type: 'string', description: 'A path in the document, such as `/packages/0`.' },
        message: { type: 'string' },
      },
    },
  })
  reasons: Reason[];

  @ApiProperty({ oneOf: [{}], description: 'As received, normally an object; null if it cannot be stored.' })
  document: unknown;

  @InstantField()
  created_at: string;
}

/** A row as the service selects it. */
export type QuarantineRow = Omit<Columns<QuarantinedDocument>, 'from'>;

export function toImportRun(row: ImportRun): ImportRunOut {
  return {
    id: row.id,
    source: row.source,
    mode: row.mode,
    status: row.status,
    seen: row.seen,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    quarantined: row.quarantined,
    error: row.error,
    started_at: row.started_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

export function toQuarantined(row: QuarantineRow): QuarantinedOut {
  return {
    source: row.source,
    name: row.name,
    version: row.version,
    reasons: row.reasons,
    document: row.document,
    created_at: row.created_at.toISOString(),
  };
}
