import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';

/** A link with which a person sets a new password; at most one for each account. Only its digest is stored. */
@Entity('password_resets', { comment: 'owner: sign-in' })
@Index('password_resets_user_id_key', ['userId'], { unique: true })
@Index('password_resets_digest_key', ['digest'], { unique: true })
export class PasswordReset {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'password_resets_pkey' })
  id: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'password_resets_user_id_fkey' })
  user: Relation<User>;

  @Column('bytea')
  digest: Buffer;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
