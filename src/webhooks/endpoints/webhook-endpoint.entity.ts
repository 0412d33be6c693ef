import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';
import type { EventType } from '../../events/event-types';
import { Organisation } from '../../organisations/organisation.entity';
import { User } from '../../users/user.entity';

/** A receiver of deliveries. Belongs to an organisation, or to one user (`orgId` null). */
@Entity('webhook_endpoints', { comment: 'owner: webhooks' })
@Index('webhook_endpoints_org_idx', ['orgId', 'createdAt', 'id'])
@Index('webhook_endpoints_plain_query_idx', ['id'], { where: "target_url LIKE '%?%'" })
@Index('webhook_endpoints_personal_idx', ['ownerId', 'createdAt', 'id'], { where: 'org_id IS NULL' })
@Check('webhook_endpoints_rate_limit_check', 'rate_limit_per_second BETWEEN 1 AND 1000')
export class WebhookEndpoint {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_endpoints_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id', nullable: true })
  orgId: string | null;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'webhook_endpoints_org_id_fkey' })
  organisation: Relation<Organisation> | null;

  @Index('webhook_endpoints_owner_id_idx')
  @Column('uuid', { name: 'owner_id' })
  ownerId: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'webhook_endpoints_owner_id_fkey' })
  owner: Relation<User>;

  /** Without its query; see `StoredTarget`. */
  @Column('text', { name: 'target_url' })
  targetUrl: string;

  /** The query including the `?`, encrypted like the secret; null if there is none or it is not encrypted yet. */
  @Column('bytea', { name: 'encrypted_query', nullable: true })
  encryptedQuery: Buffer | null;

  @Column('text', { default: '' })
  description: string;

  @Column('boolean', { name: 'is_active', default: true })
  isActive: boolean;

  @Column('text', { name: 'event_types', array: true })
  eventTypes: EventType[];

  /** AES-256-GCM with a key derived from SECRETS_KEY; never leaves the service. */
  @Column('bytea', { name: 'encrypted_secret' })
  encryptedSecret: Buffer;

  /** The custom headers as JSON, encrypted in the same way; null if there are none. */
  @Column('bytea', { name: 'encrypted_headers', nullable: true })
  encryptedHeaders: Buffer | null;

  /** Null if there is no limit. */
  @Column('integer', { name: 'rate_limit_per_second', nullable: true })
  rateLimitPerSecond: number | null;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  @Column('timestamp with time zone', { name: 'disabled_at', precision: 3, nullable: true })
  disabledAt: Date | null;

  /** When it was pinged, in the last minute before the latest ping. */
  @Column('timestamp with time zone', { array: true, default: '{}', select: false })
  pings: Date[];

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
