import {
  Check,
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
import { Bundle } from '../bundle.entity';
import { BUNDLE_TOKEN_SCOPES, type BundleTokenScope } from './token-scope';

/** Opens one bundle. The token itself is not stored, only its SHA-256 digest (contract, section 6). */
@Entity('bundle_access_tokens', { comment: 'owner: bundles' })
@Unique('bundle_access_tokens_digest_key', ['digest'])
@Index('bundle_access_tokens_bundle_id_idx', ['bundleId', 'id'])
@Check('bundle_access_tokens_scopes_check', `scopes <@ ARRAY['${BUNDLE_TOKEN_SCOPES.join(`', '`)}']`)
export class BundleAccessToken {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'bundle_access_tokens_pkey' })
  id: string;

  @Column('uuid', { name: 'bundle_id' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_access_tokens_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @Column('text')
  name: string;

  /** The first characters, to distinguish tokens. */
  @Column('text')
  prefix: string;

  @Column('bytea')
  digest: Buffer;

  @Column('text', { array: true, default: '{read}' })
  scopes: BundleTokenScope[];

  /** While this person has no access to the bundle, the token opens nothing. */
  @Index('bundle_access_tokens_created_by_idx')
  @Column('uuid', { name: 'created_by' })
  createdBy: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'bundle_access_tokens_created_by_fkey' })
  creator: Relation<User>;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
