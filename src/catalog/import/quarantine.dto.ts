import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { BooleanField, EnumField, IdField, InstantField, JsonField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { QUARANTINE_STATES, type QuarantinedDocument, type QuarantineState } from './import-quarantine.entity';
import { QUARANTINE_KINDS, type QuarantineKind, type Reason } from './incoming';
import { jsonPlaces } from './json-places';

/** The check of an edited document (`text-checks.ts`). */
export const IMPORT_CHECK = 'imported-document';

export class QuarantineQuery extends PageQuery {
  @EnumField(QUARANTINE_STATES, { required: false, description: 'Default: `OPEN`.' })
  state?: QuarantineState;

  @EnumField(QUARANTINE_KINDS, { required: false, description: 'Default: every kind.' })
  kind?: QuarantineKind;

  @TextField({ required: false, min: 1, max: 2_048, description: 'An address, or `file`. Default: every source.' })
  source?: string;

  @BooleanField({ required: false, description: 'False: `document` is null. Default: true.' })
  with_document?: boolean;
}

export class QuarantinedOut {
  @IdField()
  id: string;

  @ApiProperty({
    enum: QUARANTINE_STATES,
    enumName: 'QuarantineState',
    description:
      '`OPEN`: to be looked at. `EDITED`: another document was imported instead, which stands for this one as long as the source sends it. `DISMISSED`: imports leave it out, as long as the source sends it.',
  })
  state: QuarantineState;

  @ApiProperty({
    enum: QUARANTINE_KINDS,
    enumName: 'QuarantineKind',
    description:
      '`INVALID`: it is not a `server.json`. `NAME_TAKEN`: a listing that was created here, or that comes from another source, has its name. `VERSION_TAKEN`: its version exists with another document. `TOO_LARGE`: it has more than 128 KiB. `UNREADABLE`: it cannot be stored, so only its errors are kept.',
  })
  kind: QuarantineKind;

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

  @InstantField({ nullable: true, description: 'When it was edited or dismissed.' })
  decided_at: string | null;
}

/** An error, and where it is in `text`. */
export class PlacedFaultOut {
  @ApiProperty({ description: 'A path in the `server.json`, such as `/packages/0`; empty for the whole.' })
  path: string;

  @ApiProperty()
  message: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'From 1. Of what is nearest, if the path leads nowhere. Null without `text`.',
  })
  line: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'From 1, in UTF-16 code units.' })
  column: number | null;
}

/** The public listing that has the name. */
export class NameHolderOut {
  @IdField()
  listing_id: string;

  @ApiProperty()
  title: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Where it comes from; null: it was created here.' })
  source: string | null;
}

export class DecidedByOut {
  @IdField()
  user_id: string;

  @ApiProperty({ type: 'string', nullable: true })
  name: string | null;
}

/** A quarantined document as one reads it. */
export class QuarantinedDetailOut extends QuarantinedOut {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The `server.json` of the document, formatted: what `import` takes. Null if it cannot be stored, or has more than 1 MiB.',
  })
  text: string | null;

  @ApiProperty({ type: 'integer', description: 'The size of the document in bytes, as it is stored.' })
  bytes: number;

  @ApiProperty({ type: [PlacedFaultOut], description: 'The reasons, with their places in `text`.' })
  faults: PlacedFaultOut[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The `server.json` that was imported instead, formatted; null unless it is `EDITED`.',
  })
  edited_text: string | null;

  @ApiProperty({ type: DecidedByOut, nullable: true, description: 'Who edited or dismissed it.' })
  decided_by: DecidedByOut | null;

  @ApiProperty({ type: NameHolderOut, nullable: true })
  name_holder: NameHolderOut | null;
}

export class QuarantineImport {
  @JsonField({
    check: IMPORT_CHECK,
    description:
      'The `server.json` to import instead. Its name and version may be others. The state of the version is that which the source reports.',
  })
  server: Record<string, unknown>;
}

export class QuarantineOutcomeOut {
  @ApiProperty({ description: 'Whether it was imported. If not, it stays in quarantine.' })
  is_imported: boolean;

  @IdField({ nullable: true, description: 'The listing that has the version.' })
  listing_id: string | null;

  @ApiProperty({ type: [PlacedFaultOut], description: 'Why it was not imported; without places.' })
  faults: PlacedFaultOut[];
}

/** A row as the service selects it. */
export type QuarantineRow = Omit<Columns<QuarantinedDocument>, 'from' | 'server'>;

export interface QuarantineDetailRow extends QuarantineRow {
  server: Record<string, unknown> | null;
  bytes: number;
  decided_by_name: string | null;
  taken_id: string | null;
  taken_title: string | null;
  taken_source: string | null;
}

export function toQuarantined(row: QuarantineRow): QuarantinedOut {
  return {
    id: row.id,
    state: row.state,
    kind: row.kind,
    source: row.source,
    name: row.name,
    version: row.version,
    reasons: row.reasons,
    document: row.document,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

export function toQuarantinedDetail(row: QuarantineDetailRow): QuarantinedDetailOut {
  const text = textOf(row);
  const { places } = jsonPlaces(
    text ?? '',
    row.reasons.map(({ path }) => path),
  );
  return {
    ...toQuarantined(row),
    text,
    bytes: row.bytes,
    faults: row.reasons.map(({ path, message }) => ({
      path,
      message,
      line: text === null ? null : (places.get(path)?.line ?? 1),
      column: text === null ? null : (places.get(path)?.column ?? 1),
    })),
    edited_text: row.server && formatted(row.server),
    decided_by: row.decided_by === null ? null : { user_id: row.decided_by, name: row.decided_by_name },
    name_holder:
      row.taken_id === null
        ? null
        : { listing_id: row.taken_id, title: row.taken_title ?? '', source: row.taken_source },
  };
}

/** @returns reasons as an answer has them that has no text for them */
export function withoutPlaces(reasons: readonly Reason[]): PlacedFaultOut[] {
  return reasons.map(({ path, message }) => ({ path, message, line: null, column: null }));
}

/** Shows the `server` of an entry; an entry that is not an object, or has no `server`, is shown whole. */
function textOf({ document }: QuarantineRow): string | null {
  if (document === null || document === undefined) return null;
  const hasServer = typeof document === 'object' && 'server' in document;
  return formatted(hasServer ? document.server : document);
}

const formatted = (json: unknown): string => JSON.stringify(json, null, 2);
