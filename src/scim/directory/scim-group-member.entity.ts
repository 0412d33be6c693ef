import { CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { ScimGroup } from './scim-group.entity';
import { ScimUser } from './scim-user.entity';

@Entity('scim_group_members', { comment: 'owner: scim' })
export class ScimGroupMember {
  @PrimaryColumn('uuid', { name: 'group_id', primaryKeyConstraintName: 'scim_group_members_pkey' })
  groupId: string;

  @Index('scim_group_members_scim_user_id_idx')
  @PrimaryColumn('uuid', { name: 'scim_user_id', primaryKeyConstraintName: 'scim_group_members_pkey' })
  scimUserId: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @ManyToOne(() => ScimGroup, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'scim_group_members_group_id_fkey' })
  group: Relation<ScimGroup>;

  @ManyToOne(() => ScimUser, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'scim_user_id', foreignKeyConstraintName: 'scim_group_members_scim_user_id_fkey' })
  scimUser: Relation<ScimUser>;
}
