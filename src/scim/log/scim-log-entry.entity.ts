import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One request of an identity provider, or one operation of a bulk request. Its time is in its id. */
@Entity('scim_log', { comment: 'owner: scim' })
@Index('scim_log_org_id_idx', ['orgId', 'id'])
@Index('scim_log_failed_idx', ['orgId', 'id'], { where: 'status >= 400' })
@Index('scim_log_resource_id_idx', ['orgId', 'resourceId', 'id'], { where: 'resource_id IS NOT NULL' })
@Index('scim_log_token_id_idx', ['tokenId', 'id'])
@Index('scim_log_bulk_entry_id_idx', ['orgId', 'bulkEntryId', 'id'], { where: 'bulk_entry_id IS NOT NULL' })
@Check('scim_log_bulk_check', `(bulk_entry_id IS NULL) = (bulk_index IS NULL)`)
export class ScimLogEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scim_log_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @Column('uuid', { name: 'token_id' })
  tokenId: string;

  @Column('text', { name: 'request_id' })
  requestId: string;

  @Column('text')
  method: string;

  /** Relative to `/scim/v2`, with the query. */
  @Column('text')
  path: string;

  @Column('integer')
  status: number;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  @Column('text', { name: 'resource_type', nullable: true })
  resourceType: 'User' | 'Group' | null;

  @Column('text', { name: 'resource_id', nullable: true })
  resourceId: string | null;

  /** The body without secrets. */
  @Column('jsonb', { nullable: true })
  body: unknown;

  @Column('text', { name: 'scim_type', nullable: true })
  scimType: string | null;

  @Column('text', { nullable: true })
  error: string | null;

  /** Attributes that were sent but are not in any schema, so they were not stored. */
  @Column('text', { array: true, default: '{}' })
  ignored: string[];

  /** Notes that the response has no place for. */
  @Column('text', { array: true, default: '{}' })
  notes: string[];

  /** For an operation: the entry of the bulk request. */
  @Column('uuid', { name: 'bulk_entry_id', nullable: true })
  bulkEntryId: string | null;

  /** For an operation: its index in the bulk request, from 0. */
  @Column('integer', { name: 'bulk_index', nullable: true })
  bulkIndex: number | null;
}
