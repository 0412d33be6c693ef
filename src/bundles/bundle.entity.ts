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
import { type Visibility, VISIBILITIES } from '../catalog/listings/visibility';
import { Organisation } from '../organisations/organisation.entity';
import { User } from '../users/user.entity';

/** Listings put together for a purpose. Belongs to an organisation, or to one person (`orgId` null). */
@Entity('bundles', { comment: 'owner: bundles' })
@Index('bundles_org_slug_key', ['orgId', 'slug'], { unique: true, where: 'org_id IS NOT NULL' })
@Index('bundles_owner_slug_key', ['ownerId', 'slug'], { unique: true, where: 'org_id IS NULL' })
@Index('bundles_org_id_idx', ['orgId', 'id'])
@Index('bundles_owner_id_idx', ['ownerId', 'id'])
@Index('bundles_public_idx', ['id'], { where: `visibility = 'PUBLIC'` })
@Index('bundles_public_org_idx', ['orgId', 'id'], { where: `visibility = 'PUBLIC' AND org_id IS NOT NULL` })
export class Bundle {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'bundles_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  @Column('text', { default: '' })
  description: string;

  @Column({ type: 'enum', enum: VISIBILITIES, enumName: 'visibility', default: 'PRIVATE' })
  visibility: Visibility;

  @Column('uuid', { name: 'org_id', nullable: true })
  orgId: string | null;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'bundles_org_id_fkey' })
  organisation: Relation<Organisation> | null;

  @Column('uuid', { name: 'owner_id' })
  ownerId: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'bundles_owner_id_fkey' })
  owner: Relation<User>;

  /** The number of its latest version. */
  @Column('integer', { default: 1 })
  version: number;

  @Column('integer', { name: 'entry_count', default: 0 })
  entryCount: number;

  /** Kept by a trigger on bundle_follows. */
  @Column('integer', { name: 'follower_count', default: 0 })
  followerCount: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
