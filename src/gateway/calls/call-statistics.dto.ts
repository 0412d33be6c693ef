import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, InstantField, TextField } from '../../http/requests/fields';
import { CALL_GROUPINGS, type CallGrouping, MAX_COUNTED } from './call-list.sql';
import { CALL_OUTCOMES, type CallOutcome } from '../settings/call-outcome';
import { CallPrincipalOut, inMilliseconds } from './call.dto';

/** Groups that are shown, those with the most calls. */
export const MAX_GROUPS = 100;

const SECOND_MS = 1_000;
const GROUPINGS = Object.keys(CALL_GROUPINGS) as CallGrouping[];

export class CallStatisticsQuery {
  @EnumField(GROUPINGS, {
    required: false,
    default: 'tool',
    description:
      'What the calls are broken down by. `time`: by parts of the period, from a minute to a day long, at most 60; one without calls is left out.',
  })
  by: CallGrouping;

  @InstantField({ required: false, description: 'Absent: 24 hours before `to`.' })
  from?: string;

  @InstantField({ required: false, description: 'Absent, or in the future: now. At most 31 days after `from`.' })
  to?: string;

  @IdField({ required: false, description: 'Only calls to the server of this entry.' })
  entry_id?: string;

  @TextField({ required: false, max: 256, description: 'Only calls of this tool, prompt or resource.' })
  tool?: string;

  @IdField({ required: false, description: 'Only calls of this account, or with this access token.' })
  principal_id?: string;

  @EnumField(CALL_OUTCOMES, { required: false, description: 'Only calls that have come to this.' })
  outcome?: CallOutcome;
}

const COUNT = { type: 'integer' as const, minimum: 0 };
const LATENCY = {
  type: 'number' as const,
  nullable: true,
  minimum: 0,
  example: 182.4,
  description: 'This percentage of the calls took at most this long. Null: none has ended.',
};

/** How many calls there were, and how they went. */
export class CallFiguresOut {
  @ApiProperty(COUNT)
  calls: number;

  @ApiProperty({ ...COUNT, description: 'Calls whose outcome is neither `OK` nor `STARTED`.' })
  errors: number;

  @ApiProperty(LATENCY)
  p50_ms: number | null;

  @ApiProperty(LATENCY)
  p95_ms: number | null;

  @ApiProperty(LATENCY)
  p99_ms: number | null;

  @ApiProperty({ ...COUNT, description: 'The size of all their requests.' })
  bytes_in: number;

  @ApiProperty({ ...COUNT, description: 'The size of all their answers.' })
  bytes_out: number;
}

export class CallGroupOut extends CallFiguresOut {
  @ApiProperty({ type: 'string', nullable: true, description: 'By tool: the name that clients see. Otherwise null.' })
  tool: string | null;

  @IdField({ nullable: true, description: 'By entry. Otherwise null, and for calls of what no entry has.' })
  entry_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'By entry: its key, if the bundle still has it.' })
  entry_key: string | null;

  @ApiProperty({ type: CallPrincipalOut, nullable: true, description: 'By principal. Otherwise null.' })
  principal: CallPrincipalOut | null;

  @ApiProperty({
    enum: [...CALL_OUTCOMES, null],
    type: 'string',
    nullable: true,
    description: 'By outcome. Otherwise null.',
  })
  outcome: CallOutcome | null;

  @InstantField({ nullable: true, description: 'By time: when this part of the period begins. Otherwise null.' })
  begins_at: string | null;
}

export class CallStatisticsOut {
  @InstantField({
    example: '2026-11-19T08:00:00.000Z',
    description: `From when calls are counted: as asked for, or later if there are more than ${MAX_COUNTED} calls.`,
  })
  from: string;

  @InstantField({ example: '2026-11-20T08:00:00.000Z' })
  to: string;

  @ApiProperty({ description: `Whether these are all calls of that time; otherwise the newest ${MAX_COUNTED}.` })
  is_complete: boolean;

  @ApiProperty({ type: CallFiguresOut, description: 'The figures of all groups together.' })
  total: CallFiguresOut;

  @ApiProperty({
    type: [CallGroupOut],
    description: `Groups with the most calls come first, at most ${MAX_GROUPS}; by time the oldest first.`,
  })
  groups: CallGroupOut[];

  @ApiProperty({ ...COUNT, description: 'How many groups there are, with those that are not shown.' })
  group_count: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'By time: how long each part is. Otherwise null.' })
  part_seconds: number | null;
}

/** A row as selected by the service: the total, or a group. */
export interface CallFiguresRow {
  is_total: boolean;
  key: string | null;
  principal_type: 'person' | 'token' | null;
  calls: number;
  errors: number;
  p50_us: number | null;
  p95_us: number | null;
  p99_us: number | null;
  bytes_in: number;
  bytes_out: number;
  number: number;
  place: number;
  /** The row of the total has the id of the oldest call. */
  first_id: string | null;
  /** The key of an entry, or the name of a principal. */
  label: string | null;
}

export function toFigures(row: CallFiguresRow): CallFiguresOut {
  return {
    calls: row.calls,
    errors: row.errors,
    p50_ms: inMilliseconds(row.p50_us),
    p95_ms: inMilliseconds(row.p95_us),
    p99_ms: inMilliseconds(row.p99_us),
    bytes_in: row.bytes_in,
    bytes_out: row.bytes_out,
  };
}

export function toGroup(by: CallGrouping, row: CallFiguresRow): CallGroupOut {
  const { key, principal_type: type, label } = row;
  return {
    ...toFigures(row),
    tool: by === 'tool' ? key : null,
    entry_id: by === 'entry' ? key : null,
    entry_key: by === 'entry' ? label : null,
    principal: by === 'principal' && key !== null && type !== null ? { type, id: key, name: label } : null,
    outcome: by === 'outcome' ? (key as CallOutcome | null) : null,
    begins_at: by === 'time' ? new Date(Number(key) * SECOND_MS).toISOString() : null,
  };
}
