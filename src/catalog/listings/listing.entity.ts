import {
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
import { Organisation } from '../../organisations/organisation.entity';
import { User } from '../../users/user.entity';
import { Category } from '../categories/category.entity';
import { type Visibility, VISIBILITIES } from './visibility';

export const LISTING_STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

const PUBLIC = { where: `status = 'PUBLISHED' AND visibility = 'PUBLIC'` };

/** A tool server in the catalogue. Belongs to an organisation, a user or, if both are null, the platform. */
@Entity('listings', { comment: 'owner: catalog' })
@Index('listings_category_id_idx', ['categoryId'])
@Index('listings_public_idx', ['id'], PUBLIC)
@Index('listings_public_category_idx', ['categoryId', 'id'], PUBLIC)
@Index('listings_public_rating_idx', ['ratingMean', 'ratingCount', 'id'], PUBLIC)
@Index('listings_org_id_idx', ['orgId', 'id'])
@Index('listings_owner_id_idx', ['ownerId', 'id'])
@Index('listings_folded_name_idx', { synchronize: false })
@Index('listings_public_name_key', { synchronize: false })
@Index('listings_owner_name_key', { synchronize: false })
@Index('listings_sample_idx', ['id'], { where: 'is_sample' })
@Index('listings_archived_idx', ['id'], { where: `status = 'ARCHIVED'` })
@Index('listings_words_idx', { synchronize: false })
@Index('listings_spellings_idx', { synchronize: false })
@Index('listings_titles_idx', { synchronize: false })
@Index('listings_name_prefix_idx', { synchronize: false })
@Index('listings_last_name_idx', { synchronize: false })
@Index('listings_title_prefix_idx', { synchronize: false })
@Index('listings_public_name_idx', { synchronize: false })
@Index('listings_transports_idx', { synchronize: false })
@Index('listings_registry_types_idx', { synchronize: false })
export class Listing {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'listings_pkey' })
  id: string;

  /**
   * Reverse-DNS, as in the MCP registry: `io.github.acme/weather`. Unique, ignoring case, among listings that are or
   * were public, and among the listings of one owner (contract, section 12.3).
   */
  @Column('text')
  name: string;

  @Column('text')
  slug: string;

  @Column('text')
  title: string;

  @Column('text')
  description: string;

  @Column('integer', { name: 'category_id' })
  categoryId: number;

  @ManyToOne(() => Category)
  @JoinColumn({ name: 'category_id', foreignKeyConstraintName: 'listings_category_id_fkey' })
  category: Relation<Category>;

  @Column({ type: 'enum', enum: LISTING_STATUSES, enumName: 'listing_status', default: 'DRAFT' })
  status: ListingStatus;

  @Column({ type: 'enum', enum: VISIBILITIES, enumName: 'visibility' })
  visibility: Visibility;

  @Column('uuid', { name: 'org_id', nullable: true })
  orgId: string | null;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'listings_org_id_fkey' })
  organisation: Relation<Organisation> | null;

  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: string | null;

  @ManyToOne(() => User, { nullable: true })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'listings_owner_id_fkey' })
  owner: Relation<User> | null;

  @Column('jsonb', { nullable: true })
  repository: object | null;

  @Column('text', { name: 'website_url', nullable: true })
  websiteUrl: string | null;

  @Column('jsonb', { default: [] })
  icons: object[];

  /** The transports of the latest version. */
  @Column('text', { array: true, default: '{}' })
  transports: string[];

  /** The registries of the latest version's packages. */
  @Column('text', { name: 'registry_types', array: true, default: '{}' })
  registryTypes: string[];

  @Column('timestamp with time zone', { name: 'published_at', precision: 3, nullable: true })
  publishedAt: Date | null;

  @Column('timestamp with time zone', { name: 'archived_at', precision: 3, nullable: true })
  archivedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** The import source that maintains it; null if users do. */
  @Column('text', { name: 'import_source', nullable: true })
  importSource: string | null;

  /** Whether an import archived it; only then may an import publish it again. */
  @Column('boolean', { name: 'archived_by_import', default: false })
  archivedByImport: boolean;

  /** Whether platform administrators archived it; with a reason, only they publish it again. */
  @Column('boolean', { name: 'archived_by_platform', default: false })
  archivedByPlatform: boolean;

  /** Why it is archived; null also while it is not. */
  @Column('text', { name: 'archive_reason', nullable: true })
  archiveReason: string | null;

  /** Belongs to the sample catalogue; replaced by the first real listing published under its name. */
  @Column('boolean', { name: 'is_sample', default: false })
  isSample: boolean;

  /** Whether another listing had the same name in another case before that was forbidden. */
  @Column('boolean', { name: 'shares_name', default: false })
  sharesName: boolean;

  /** Size of those fields of the latest document in a response that no schema bounds; written by a trigger. */
  @Column('integer', { name: 'shown_bytes', default: 0 })
  shownBytes: number;

  /** Only reviews that are not hidden count. */
  @Column('integer', { name: 'rating_count', default: 0 })
  ratingCount: number;

  @Column('integer', { name: 'rating_sum', default: 0 })
  ratingSum: number;

  /** In tenths, rounded, so that the order of a list is that of what it shows; 0 without reviews. */
  @Column('smallint', { name: 'rating_mean', default: 0 })
  ratingMean: number;
}
