import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { Organisation } from '../../organisations/organisation.entity';

/**
 * Gives an identity provider access to one organisation's directory. Only the SHA-256 digest of the token is stored.
 */
@Entity('scim_tokens', { comment: 'owner: scim' })
@Unique('scim_tokens_digest_key', ['digest'])
@Index('scim_tokens_org_id_idx', ['orgId', 'id'])
export class ScimToken {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scim_tokens_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'scim_tokens_org_id_fkey' })
  organisation: Relation<Organisation>;

  @Column('text')
  name: string;

  /** The first characters, by which people tell tokens apart. */
  @Column('text')
  prefix: string;

  @Column('bytea')
  digest: Buffer;

  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
