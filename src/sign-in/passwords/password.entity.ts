import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';

/** The password of an account that signs in here. */
@Entity('passwords', { comment: 'owner: sign-in' })
export class Password {
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'passwords_pkey' })
  userId: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'passwords_user_id_fkey' })
  user: Relation<User>;

  /** Argon2id in the PHC string format, with its parameters and its salt. */
  @Column('text')
  hash: string;

  /** When the person chose it; a new hash of the same password does not move it. */
  @Column('timestamp with time zone', { name: 'changed_at', precision: 3 })
  changedAt: Date;
}
