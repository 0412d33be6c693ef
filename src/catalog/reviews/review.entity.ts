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
  UpdateDateColumn,
} from 'typeorm';
import { User } from '../../users/user.entity';
import { Listing } from '../listings/listing.entity';

/** What a person thinks of a listing. The listing counts those that are not hidden (`review-rating.sql.ts`). */
@Entity('listing_reviews', { comment: 'owner: catalog' })
@Index('listing_reviews_author_key', ['userId', 'listingId'], { unique: true })
@Index('listing_reviews_listing_id_idx', ['listingId', 'id'])
@Index('listing_reviews_hidden_idx', ['id'], { where: 'hidden_at IS NOT NULL' })
@Check('listing_reviews_rating_check', `rating BETWEEN 1 AND 5`)
export class ListingReview {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'listing_reviews_pkey' })
  id: string;

  @Column('uuid', { name: 'listing_id' })
  listingId: string;

  @ManyToOne(() => Listing, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'listing_id', foreignKeyConstraintName: 'listing_reviews_listing_id_fkey' })
  listing: Relation<Listing>;

  /** Its author. */
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'listing_reviews_user_id_fkey' })
  user: Relation<User>;

  /** 1 to 5. */
  @Column('smallint')
  rating: number;

  @Column('text')
  text: string;

  /** What the owner of the listing answers. */
  @Column('text', { nullable: true })
  answer: string | null;

  @Column('timestamp with time zone', { name: 'answered_at', precision: 3, nullable: true })
  answeredAt: Date | null;

  /** When a platform administrator hid it; null: it is shown. */
  @Column('timestamp with time zone', { name: 'hidden_at', precision: 3, nullable: true })
  hiddenAt: Date | null;

  @Column('text', { name: 'hidden_reason', nullable: true })
  hiddenReason: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
