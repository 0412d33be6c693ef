import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { type Role, ROLES } from '../role';
import type { Reason } from './role-resolution';
import { ScimSyncRun } from './scim-sync-run.entity';

const ROLE_OR_NULL = { type: 'enum', enum: ROLES, enumName: 'organisation_role', nullable: true } as const;

/** What one sync changed for one person, and why. */
@Entity('scim_sync_changes')
export class ScimSyncChange {
  @PrimaryColumn('uuid', { name: 'run_id', primaryKeyConstraintName: 'scim_sync_changes_pkey' })
  runId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'scim_sync_changes_pkey' })
  userId: string;

  @ManyToOne(() => ScimSyncRun, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'scim_sync_changes_run_id_fkey' })
  run: Relation<ScimSyncRun>;

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
