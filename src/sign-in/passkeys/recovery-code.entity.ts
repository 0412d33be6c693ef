import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';

/** A code that signs a person in once, if every passkey is lost. Deleted when it is used. */
@Entity('recovery_codes', { comment: 'owner: sign-in' })
export class RecoveryCode {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'recovery_codes_pkey' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'recovery_codes_user_id_fkey' })
  user: Relation<User>;

  /** SHA-256 of account and code. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'recovery_codes_pkey' })
  digest: Buffer;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
