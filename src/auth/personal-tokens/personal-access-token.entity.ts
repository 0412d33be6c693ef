import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { User } from '../../users/user.entity';

/** Acts for its account within its scopes. The token itself is not stored, only its SHA-256 digest. */
@Entity('personal_access_tokens', { comment: 'owner: auth' })
@Unique('personal_access_tokens_digest_key', ['digest'])
@Index('personal_access_tokens_user_id_idx', ['userId', 'id'])
export class PersonalAccessToken {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'personal_access_tokens_pkey' })
  id: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'personal_access_tokens_user_id_fkey' })
  user: Relation<User>;

  @Column('text')
  name: string;

  /** The first characters, by which people tell tokens apart. */
  @Column('text')
  prefix: string;

  @Column('bytea')
  digest: Buffer;

  /** At least one. A scope that a later release no longer has grants nothing. */
  @Column('text', { array: true })
  scopes: string[];

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
