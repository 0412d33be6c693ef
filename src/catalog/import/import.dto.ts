import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../../http/requests/fields';
import type { ImportRun } from './import-run';
import { QUARANTINE_KINDS, type QuarantineKind } from './incoming';

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

  @ApiProperty({
    ...COUNT,
    description: 'Versions that already existed, or whose document an administrator has dismissed.',
  })
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

/** A source, with what is to be known before an import of it. */
export class ImportSourceOut {
  @ApiProperty({ description: 'The address of the registry, or `file`.' })
  address: string;

  @ApiProperty({ description: 'Whether it is the one of `IMPORT_FROM`, which is imported by schedule.' })
  is_scheduled: boolean;

  @ApiProperty({ description: 'Whether an import of it is running.' })
  is_running: boolean;

  @InstantField({ nullable: true, description: 'When its next run is due; null if it is imported by hand.' })
  next_run_at: string | null;

  @InstantField({ nullable: true, description: 'Changes up to this time were imported; by the clock of the source.' })
  changed_until: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The number of versions that its last whole import read. A registry does not say how many it has.',
  })
  whole_seen: number | null;

  @ApiProperty({ ...COUNT, description: 'Documents in quarantine that are to be looked at.' })
  open: number;

  @ApiProperty({ ...COUNT, description: 'Documents that an administrator has edited.' })
  edited: number;

  @ApiProperty({ ...COUNT, description: 'Documents that an administrator has dismissed.' })
  dismissed: number;
}

export class QuarantineCountOut {
  @ApiProperty({ enum: QUARANTINE_KINDS, enumName: 'QuarantineKind' })
  kind: QuarantineKind;

  @ApiProperty(COUNT)
  documents: number;
}

export class ImportOverviewOut {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The registry of `IMPORT_FROM`, which `POST /v1/mcp/imports` imports; null: there is none.',
  })
  scheduled_source: string | null;

  @ApiProperty({ type: 'integer', description: 'Minutes between two scheduled imports.' })
  interval_minutes: number;

  @ApiProperty({ type: [ImportSourceOut], description: 'At most 100.' })
  sources: ImportSourceOut[];

  @ApiProperty({ type: [QuarantineCountOut], description: 'Documents that are to be looked at, by kind.' })
  quarantine: QuarantineCountOut[];
}

/** A row as the service selects it. */
export interface ImportSourceRow {
  address: string;
  next_run_at: Date | null;
  changed_until: Date | null;
  is_running: boolean;
  whole_seen: number | null;
  open: number;
  edited: number;
  dismissed: number;
}

export function toImportSource(row: ImportSourceRow, scheduled: string | undefined): ImportSourceOut {
  return {
    address: row.address,
    is_scheduled: row.address === scheduled,
    is_running: row.is_running,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    changed_until: row.changed_until?.toISOString() ?? null,
    whole_seen: row.whole_seen,
    open: row.open,
    edited: row.edited,
    dismissed: row.dismissed,
  };
}

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
