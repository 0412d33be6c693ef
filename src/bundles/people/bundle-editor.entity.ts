import { CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';
import { Bundle } from '../bundle.entity';

/** A person who may modify a bundle that is not theirs. */
@Entity('bundle_editors', { comment: 'owner: bundles' })
@Index('bundle_editors_user_id_idx', ['userId', 'bundleId'])
export class BundleEditor {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'bundle_editors_pkey' })
  bundleId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'bundle_editors_pkey' })
  userId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_editors_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'bundle_editors_user_id_fkey' })
  user: Relation<User>;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
