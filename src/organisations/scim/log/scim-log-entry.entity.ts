import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One request of an identity provider. Its time is in its id. */
@Entity('scim_log')
@Index('scim_log_org_id_idx', ['orgId', 'id'])
@Index('scim_log_failed_idx', ['orgId', 'id'], { where: 'status >= 400' })
@Index('scim_log_resource_id_idx', ['orgId', 'resourceId', 'id'], { where: 'resource_id IS NOT NULL' })
@Index('scim_log_token_id_idx', ['tokenId', 'id'])
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

  /** Below `/scim/v2`, with the query. */
  @Column('text')
  path: string;

  @Column('integer')
  status: number;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  @Column('text', { name: 'resource_type', nullable: true })
  resourceType: string | null;

  @Column('text', { name: 'resource_id', nullable: true })
  resourceId: string | null;

  /** What was sent, without secrets. */
  @Column('jsonb', { nullable: true })
  body: unknown;

  @Column('text', { name: 'scim_type', nullable: true })
  scimType: string | null;

  @Column('text', { nullable: true })
  error: string | null;

  /** Attributes that were sent and are in no schema, so that they were not stored. */
  @Column('text', { array: true, default: '{}' })
  ignored: string[];
}
