import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type Role, ROLES } from '../../../organisations/members/role';
import type { Reason } from '../resolution/role-resolution';

const ROLE_OR_NULL = { type: 'enum', enum: ROLES, enumName: 'organisation_role', nullable: true } as const;

/** What one sync changed for one person, and why. Deleted with its run, by a trigger. */
@Entity('scim_sync_changes', { comment: 'owner: scim' })
export class ScimSyncChange {
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName: 'scim_sync_changes_pkey' })
  runId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'scim_sync_changes_pkey' })
  userId: string;

  @Column('text')
  change: 'joined' | 'promoted' | 'demoted' | 'removed' | 'retained';

  @Column({ ...ROLE_OR_NULL, name: 'role_before' })
  roleBefore: Role | null;

  @Column({ ...ROLE_OR_NULL, name: 'role_after' })
  roleAfter: Role | null;

  @Column('text')
  reason: Reason;

  @Column('uuid', { name: 'mapping_id', nullable: true })
  mappingId: string | null;

  @Column('uuid', { name: 'group_id', nullable: true })
  groupId: string | null;
}
