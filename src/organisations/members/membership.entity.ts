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
import { User } from '../../users/user.entity';
import { Organisation } from '../organisation.entity';
import { type Role, ROLES } from './role';

const ROLE_COLUMN = { type: 'enum', enum: ROLES, enumName: 'organisation_role', nullable: true } as const;

/**
 * A user in an organisation, with their manual role and SCIM role; `role` is the effective one. A suspended membership
 * (its directory entry is inactive or deleted) keeps the manual role in case it is reactivated.
 */
@Entity('memberships', { comment: 'owner: organisations' })
@Index('memberships_user_id_idx', ['userId', 'orgId'])
@Index('memberships_owner_idx', ['orgId'], { where: `role = 'OWNER'` })
@Index('memberships_retained_idx', ['orgId'], { where: `retained_last_owner` })
@Index('memberships_role_idx', ['orgId', 'role', 'userId'])
@Index('memberships_manual_idx', ['orgId', 'userId'], {
  where: `manual_role IS NOT NULL AND NOT suspended AND NOT retained_last_owner AND (scim_role IS NULL OR manual_role > scim_role)`,
})
@Index('memberships_suspended_idx', ['orgId', 'userId'], { where: `suspended` })
@Check(
  'memberships_role_check',
  `role IS NOT DISTINCT FROM CASE WHEN retained_last_owner THEN 'OWNER' WHEN NOT suspended THEN GREATEST(manual_role, scim_role) END`,
)
export class Membership {
  @PrimaryColumn('uuid', { name: 'org_id', primaryKeyConstraintName: 'memberships_pkey' })
  orgId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'memberships_pkey' })
  userId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'memberships_org_id_fkey' })
  organisation: Relation<Organisation>;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'memberships_user_id_fkey' })
  user: Relation<User>;

  @Column({ ...ROLE_COLUMN, name: 'manual_role' })
  manualRole: Role | null;

  @Column({ ...ROLE_COLUMN, name: 'scim_role' })
  scimRole: Role | null;

  @Column('boolean', { default: false })
  suspended: boolean;

  /** Stays OWNER only because there is no other active OWNER (contract, section 7). */
  @Column('boolean', { name: 'retained_last_owner', default: false })
  retainedLastOwner: boolean;

  @Column(ROLE_COLUMN)
  role: Role | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
