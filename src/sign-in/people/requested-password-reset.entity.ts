import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';

/**
 * A link with which a person sets a new password, who asked for it by mail; at most one for each account, beside that of
 * an administrator. Only its digest is stored.
 */
@Entity('requested_password_resets', { comment: 'owner: sign-in' })
@Index('requested_password_resets_digest_key', ['digest'], { unique: true })
export class RequestedPasswordReset {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'requested_password_resets_pkey' })
  userId: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'requested_password_resets_user_id_fkey' })
  user: Relation<User>;

  @Column('bytea')
  digest: Buffer;

  @Index('requested_password_resets_expires_at_idx')
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
