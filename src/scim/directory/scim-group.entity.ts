import {
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
import { Organisation } from '../../organisations/organisation.entity';

/** A group in an organisation's directory. */
@Entity('scim_groups', { comment: 'owner: scim' })
@Index('scim_groups_org_id_idx', ['orgId', 'id'])
@Index('scim_groups_external_id_key', { synchronize: false })
@Index('scim_groups_display_name_idx', { synchronize: false })
export class ScimGroup {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scim_groups_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'scim_groups_org_id_fkey' })
  organisation: Relation<Organisation>;

  @Column('text', { name: 'display_name' })
  displayName: string;

  /** Assigned by the identity provider; never a key to anything else (RFC 7643, section 3.1). */
  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  /** Incremented on each change, also of the members; the ETag is derived from it. */
  @Column('integer', { default: 1 })
  version: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
