import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../users/user.entity';
import { Organisation } from '../organisations/organisation.entity';
import { type Role, ROLES } from '../organisations/members/role';
import type { InvitationStatus } from './invitation-status.sql';

/** An offer to become a member of an organisation. Identifies one user by address or by account. */
@Entity('invitations', { comment: 'owner: invitations' })
@Index('invitations_org_id_idx', ['orgId', 'id'])
@Index('invitations_status_idx', ['orgId', 'status', 'id'])
@Index('invitations_user_id_idx', ['userId', 'id'])
@Index('invitations_address_idx', ['address', 'id'])
@Index('invitations_pending_address_key', ['orgId', 'address'], { unique: true, where: `status = 'PENDING'` })
@Index('invitations_pending_user_id_key', ['orgId', 'userId'], { unique: true, where: `status = 'PENDING'` })
@Check('invitations_status_check', `status IN ('PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED', 'EXPIRED')`)
@Check('invitations_invited_check', `(user_id IS NULL) = (address IS NOT NULL)`)
@Check('invitations_email_check', `(email IS NULL) = (address IS NULL)`)
export class Invitation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'invitations_org_id_fkey' })
  organisation: Relation<Organisation>;

  /** As entered. */
  @Column('text', { nullable: true })
  email: string | null;

  /** Normalised for comparison. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'invitations_user_id_fkey' })
  user: Relation<User> | null;

  @Column({ type: 'enum', enum: ROLES, enumName: 'organisation_role' })
  role: Role;

  /** The stored status; `statusAt` derives the current one. */
  @Column('text', { default: 'PENDING' })
  status: InvitationStatus;

  @Index('invitations_invited_by_idx')
  @Column('uuid', { name: 'invited_by', nullable: true })
  invitedBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'invited_by', foreignKeyConstraintName: 'invitations_invited_by_fkey' })
  inviter: Relation<User> | null;

  /** Who accepted or declined. Never shown to anyone; the row is deleted with the account. */
  @Index('invitations_answered_by_idx')
  @Column('uuid', { name: 'answered_by', nullable: true })
  answeredBy: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'answered_by', foreignKeyConstraintName: 'invitations_answered_by_fkey' })
  respondent: Relation<User> | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
