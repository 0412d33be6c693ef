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
import { Organisation } from '../../../organisations/organisation.entity';
import { type Role, ROLES } from '../../../organisations/members/role';
import { ScimGroup } from '../../directory/scim-group.entity';

/** A row of the mapping table: members of the group get the role. Without a group id it waits for its group. */
@Entity('scim_role_mappings', { comment: 'owner: scim' })
@Index('scim_role_mappings_group_name_idx', { synchronize: false })
@Index('scim_role_mappings_org_id_idx', ['orgId'])
export class ScimRoleMapping {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scim_role_mappings_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'scim_role_mappings_org_id_fkey' })
  organisation: Relation<Organisation>;

  @Index('scim_role_mappings_group_id_key', { unique: true })
  @Column('uuid', { name: 'group_id', nullable: true })
  groupId: string | null;

  @ManyToOne(() => ScimGroup, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'scim_role_mappings_group_id_fkey' })
  group: Relation<ScimGroup> | null;

  @Column('text', { name: 'group_name' })
  groupName: string;

  @Column({ type: 'enum', enum: ROLES, enumName: 'organisation_role' })
  role: Role;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
