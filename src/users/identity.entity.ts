import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from './user.entity';

/** A pair (`iss`, `sub`) identifies one user (contract, section 3). */
@Entity('identities', { comment: 'owner: users' })
@Index('identities_id_key', ['userId', 'id'], { unique: true })
export class Identity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'identities_pkey' })
  issuer: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'identities_pkey' })
  subject: string;

  @Index('identities_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'identities_user_id_fkey' })
  user: Relation<User>;

  /** Its address in the API, where issuer and subject would not fit. */
  @Column('uuid', { default: () => 'uuid_v7()' })
  id: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
