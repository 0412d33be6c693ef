import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';

/** An invitation to have an account here. Its link is a random secret, of which only the digest is stored. */
@Entity('account_invitations', { comment: 'owner: sign-in' })
@Index('account_invitations_digest_key', ['digest'], { unique: true })
@Index('account_invitations_address_key', ['address'], { unique: true })
@Index('account_invitations_expires_at_idx', ['expiresAt'])
@Index('account_invitations_invited_by_idx', ['invitedBy'])
export class AccountInvitation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'account_invitations_pkey' })
  id: string;

  @Column('bytea')
  digest: Buffer;

  /** As entered. */
  @Column('text')
  email: string;

  /** Normalised for comparison. */
  @Column('text')
  address: string;

  /** What the administrator suggests; the person chooses. */
  @Column('text', { nullable: true })
  name: string | null;

  @Column('uuid', { name: 'invited_by', nullable: true })
  invitedBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'invited_by', foreignKeyConstraintName: 'account_invitations_invited_by_fkey' })
  inviter: Relation<User> | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
