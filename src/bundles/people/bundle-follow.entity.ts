import { CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';
import { Bundle } from '../bundle.entity';

/** A person follows a bundle. */
@Entity('bundle_follows', { comment: 'owner: bundles' })
@Index('bundle_follows_user_id_idx', ['userId', 'bundleId'])
@Index('bundle_follows_bundle_id_idx', ['bundleId', 'createdAt', 'userId'])
export class BundleFollow {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'bundle_follows_pkey' })
  bundleId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'bundle_follows_pkey' })
  userId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_follows_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'bundle_follows_user_id_fkey' })
  user: Relation<User>;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
