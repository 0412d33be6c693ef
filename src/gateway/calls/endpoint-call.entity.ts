import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Era } from '../protocol/revisions';
import { CALL_OUTCOMES, type CallOutcome } from '../settings/call-outcome';

const KEY = 'endpoint_calls_pkey';

/**
 * A call that a client made at an endpoint, without its arguments and its result. Partitioned by day: the id contains the
 * time. Refers to nothing, so that the record says what was and costs no look-ups; it ends with its day.
 */
@Entity('endpoint_calls', { comment: 'owner: gateway' })
@Index('endpoint_calls_entry_idx', ['bundleId', 'entryId', 'id'])
@Index('endpoint_calls_tool_idx', ['bundleId', 'exposedName', 'id'])
@Index('endpoint_calls_principal_idx', ['bundleId', 'principalId', 'id'])
@Index('endpoint_calls_outcome_idx', ['bundleId', 'outcome', 'id'])
@Check('endpoint_calls_principal_type_check', `principal_type IN ('person', 'token')`)
@Check('endpoint_calls_era_check', `era IN ('modern', 'legacy')`)
@Check('endpoint_calls_outcome_check', `outcome IN ('${CALL_OUTCOMES.join(`', '`)}')`)
export class EndpointCall {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: KEY })
  bundleId: string;

  /** When the call came. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: KEY })
  id: string;

  /** Null: the bundle's own endpoint. */
  @Column('uuid', { name: 'deployment_id', nullable: true })
  deploymentId: string | null;

  @Column('integer', { name: 'bundle_version' })
  bundleVersion: number;

  /** Null: nothing was found by that name. */
  @Column('uuid', { name: 'entry_id', nullable: true })
  entryId: string | null;

  @Column('text')
  method: string;

  /** At the server: of a tool or a prompt; the address of a resource that it lists, or the template that one is of. */
  @Column('text', { nullable: true })
  name: string | null;

  /** What clients call it; where nothing was found, what the client said. */
  @Column('text', { name: 'exposed_name', nullable: true })
  exposedName: string | null;

  /** The definition had this digest at that time (`upstream_definitions.digest`). */
  @Column('bytea', { name: 'definition_digest', nullable: true })
  definitionDigest: Buffer | null;

  @Column('text', { name: 'principal_type' })
  principalType: 'person' | 'token';

  /** The account, or the access token of the bundle. */
  @Column('uuid', { name: 'principal_id' })
  principalId: string;

  @Column('text', { name: 'client_name', nullable: true })
  clientName: string | null;

  @Column('text', { name: 'client_version', nullable: true })
  clientVersion: string | null;

  @Column('text')
  era: Era;

  @Column('text')
  outcome: CallOutcome;

  @Column('text', { name: 'error_code', nullable: true })
  errorCode: string | null;

  /** Until the answer was sent; microseconds. */
  @Column('integer', { name: 'duration_us', nullable: true })
  durationUs: number | null;

  /** The part of it that was spent waiting for the server; null: it was not asked. */
  @Column('integer', { name: 'upstream_us', nullable: true })
  upstreamUs: number | null;

  /** The request has so many bytes. */
  @Column('integer', { name: 'bytes_in' })
  bytesIn: number;

  /** The answer has so many bytes, with everything that preceded it on its stream. */
  @Column('integer', { name: 'bytes_out', nullable: true })
  bytesOut: number | null;

  @Column('text', { name: 'request_id' })
  requestId: string;

  /** 16 bytes, as a trace id has. */
  @Column('uuid', { name: 'trace_id', nullable: true })
  traceId: string | null;

  /** The names of the arguments, with `KEYS`. */
  @Column('jsonb', { name: 'argument_keys', nullable: true })
  argumentKeys: string[] | null;

  /** With `DIGEST`. */
  @Column('bytea', { name: 'argument_digest', nullable: true })
  argumentDigest: Buffer | null;
}
