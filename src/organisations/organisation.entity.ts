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
  UpdateDateColumn,
} from 'typeorm';
import { User } from '../users/user.entity';

@Entity('organisations', { comment: 'owner: organisations' })
@Unique('organisations_slug_key', ['slug'])
@Index('organisations_deleted_at_idx', ['deletedAt'], { where: 'deleted_at IS NOT NULL' })
export class Organisation {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organisations_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  /** Null if unknown or if the account was deleted. */
  @Index('organisations_created_by_idx')
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'organisations_created_by_fkey' })
  creator: Relation<User> | null;

  /** When it was deleted. From then on it is invisible, and its remaining rows are removed in batches. */
  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
