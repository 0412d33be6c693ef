import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { timeOf } from '../../database/id';
import { EnumField, IdField, InstantField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { Era } from '../protocol/revisions';
import { CALL_OUTCOMES, type CallOutcome } from '../settings/call-outcome';
import type { EndpointCall } from './endpoint-call.entity';

const TOOL = {
  required: false,
  max: 256,
  description:
    'Only calls of this tool or prompt, by the name that clients see, or of this resource, by the address or template that its server lists.',
} as const;

export class CallsQuery extends PageQuery {
  @InstantField({
    required: false,
    description: 'Only calls at or after this time. Absent: 31 days before `to`, and at most so long.',
  })
  from?: string;

  @InstantField({ required: false, description: 'Only calls before this time. Absent: now.' })
  to?: string;

  @IdField({ required: false, description: 'Only calls to the server of this entry.' })
  entry_id?: string;

  @TextField(TOOL)
  tool?: string;

  @IdField({ required: false, description: 'Only calls of this account, or with this access token.' })
  principal_id?: string;

  @EnumField(CALL_OUTCOMES, { required: false, description: 'Only calls that have come to this.' })
  outcome?: CallOutcome;
}

/** Who called. */
export class CallPrincipalOut {
  @ApiProperty({ enum: ['person', 'token'], description: '`token`: an access token of the bundle.' })
  type: 'person' | 'token';

  @IdField({ description: 'The account or the access token. It may exist no more.' })
  id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The name of a token of this bundle, or of a person of the bundle or of its organisation. Null: it is another caller, or no longer exists.',
  })
  name: string | null;
}

/** What called, as it says itself. */
export class CallClientOut {
  @ApiProperty({ type: 'string', nullable: true, example: 'claude-code' })
  name: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: '2.1.240' })
  version: string | null;
}

const MILLISECONDS = { type: 'number', nullable: true, minimum: 0 } as const;

/** A call that a client made. */
export class CallOut {
  @IdField()
  id: string;

  @InstantField({ description: 'When it came.' })
  created_at: string;

  @IdField({ nullable: true, description: 'The deployment; null: the endpoint of the bundle itself.' })
  deployment_id: string | null;

  @ApiProperty({ type: 'integer', description: 'The version of the bundle that was served.' })
  bundle_version: number;

  @IdField({ nullable: true, description: 'The entry; null: nothing was found by that name.' })
  entry_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The key of the entry; null: the bundle has it no more.',
  })
  entry_key: string | null;

  @ApiProperty({ example: 'tools/call' })
  method: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'create_issue',
    description:
      'What its server calls it: a tool, a prompt, or the address or template of a resource that it lists. An address that it does not list may say as much as arguments do, and is left out.',
  })
  name: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'github__create_issue',
    description: 'What clients call it; where nothing was found, what the client asked for, up to 256 characters.',
  })
  tool: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'SHA-256 of its definition at that time (RFC 8785), in hexadecimal.',
  })
  definition_digest: string | null;

  @ApiProperty({ type: CallPrincipalOut })
  principal: CallPrincipalOut;

  @ApiProperty({ type: CallClientOut })
  client: CallClientOut;

  @ApiProperty({ enum: ['modern', 'legacy'], description: 'The era of the client. `modern`: 2026-07-28.' })
  era: Era;

  @ApiProperty({
    enum: CALL_OUTCOMES,
    description:
      '`STARTED`: under way, or the process that passed it was killed. `TOOL_ERROR`: the tool says that it failed. `UPSTREAM_ERROR`: its server failed or answered with an error, or this service has. `DENIED`: refused before its server was asked. `CREDENTIAL_REQUIRED`, `DEFINITION_CHANGED`, `RATE_LIMITED`, `TIMEOUT`: as the client was told. `CANCELLED`: the client took it back.',
  })
  outcome: CallOutcome;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'upstream_timeout',
    description:
      'The code of `com.toolyard/error`, or of the JSON-RPC error; `not_recorded`, `insufficient_scope`, `internal_error` and other words of this service.',
  })
  error_code: string | null;

  @ApiProperty({ ...MILLISECONDS, example: 182.4, description: 'Until its answer was sent. Null: it has not ended.' })
  duration_ms: number | null;

  @ApiProperty({
    ...MILLISECONDS,
    example: 180.9,
    description: 'The part of it that the server took. Null: the server was not asked.',
  })
  upstream_ms: number | null;

  @ApiProperty({ type: 'integer', description: 'The size of the request in bytes.' })
  bytes_in: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The size of the answer in bytes, with what preceded it on its stream. Null: it has not ended.',
  })
  bytes_out: number | null;

  @ApiProperty({ description: 'The `X-Request-Id` of its request.' })
  request_id: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The id of its trace (W3C), in hexadecimal.' })
  trace_id: string | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'The names of its arguments, sorted, at most 32 and then "…". Null: not recorded.',
  })
  argument_keys: string[] | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'A keyed digest (HMAC-SHA256) of its arguments as canonical JSON (RFC 8785), in hexadecimal: equal for equal arguments. Null: not recorded.',
  })
  argument_digest: string | null;
}

/** A row as selected by the service. */
export type CallListRow = Omit<Columns<EndpointCall>, 'bundle_id'> & {
  entry_key: string | null;
  principal_name: string | null;
};

export function toCall(row: CallListRow): CallOut {
  return {
    id: row.id,
    created_at: timeOf(row.id).toISOString(),
    deployment_id: row.deployment_id,
    bundle_version: row.bundle_version,
    entry_id: row.entry_id,
    entry_key: row.entry_key,
    method: row.method,
    name: row.name,
    tool: row.exposed_name,
    definition_digest: row.definition_digest?.toString('hex') ?? null,
    principal: { type: row.principal_type, id: row.principal_id, name: row.principal_name },
    client: { name: row.client_name, version: row.client_version },
    era: row.era,
    outcome: row.outcome,
    error_code: row.error_code,
    duration_ms: inMilliseconds(row.duration_us),
    upstream_ms: inMilliseconds(row.upstream_us),
    bytes_in: row.bytes_in,
    bytes_out: row.bytes_out,
    request_id: row.request_id,
    trace_id: row.trace_id?.replaceAll('-', '') ?? null,
    argument_keys: row.argument_keys,
    argument_digest: row.argument_digest?.toString('hex') ?? null,
  };
}

/** @param microseconds null: unknown */
export function inMilliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / 1_000;
}
