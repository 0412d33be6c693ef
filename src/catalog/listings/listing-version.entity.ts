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
import { Listing } from './listing.entity';
import type { ServerDocument } from './server-document';

/** An immutable `server.json` document of a listing. */
@Entity('listing_versions', { comment: 'owner: catalog' })
@Index('listing_versions_latest_key', ['listingId'], { unique: true, where: 'is_latest' })
@Index('listing_versions_public_idx', { synchronize: false })
@Index('listing_versions_public_latest_idx', { synchronize: false })
@Index('listing_versions_once_public_idx', { synchronize: false })
@Index('listing_versions_updated_at_idx', { synchronize: false })
@Index('listing_versions_server_name_idx', { synchronize: false })
@Index('listing_versions_org_id_idx', { synchronize: false })
@Check('listing_versions_status_check', `status IN ('active', 'deprecated', 'deleted')`)
@Check('listing_versions_audience_check', `audience IN ('none', 'public', 'organisation')`)
export class ListingVersion {
  @PrimaryColumn('uuid', { name: 'listing_id', primaryKeyConstraintName: 'listing_versions_pkey' })
  listingId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'listing_versions_pkey' })
  version: string;

  @ManyToOne(() => Listing, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'listing_id', foreignKeyConstraintName: 'listing_versions_listing_id_fkey' })
  listing: Relation<Listing>;

  /** As it was published, in the order of its fields. */
  @Column('json')
  server: ServerDocument;

  /** Bytes of the document; written by a trigger. */
  @Column('integer', { name: 'server_bytes' })
  serverBytes: number;

  @Column('boolean', { name: 'is_latest' })
  isLatest: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The listing's name. */
  @Column('text', { name: 'server_name' })
  serverName: string;

  /** The listing's organisation. */
  @Column('uuid', { name: 'org_id', nullable: true })
  orgId: string | null;

  /** What the registry API says of this version; `deleted` also for one that an import found deleted at its source. */
  @Column('text', { default: 'active' })
  status: 'active' | 'deprecated' | 'deleted';

  @Column('text', { name: 'status_message', nullable: true })
  statusMessage: string | null;

  @Column('timestamp with time zone', { name: 'status_changed_at', precision: 3, nullable: true })
  statusChangedAt: Date | null;

  @Column('timestamp with time zone', { name: 'published_at', precision: 3, nullable: true })
  publishedAt: Date | null;

  /** When anything that the registry API says of it last changed: written by a trigger, in the order of commits. */
  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** Who may see it while its listing is as it is: follows from the listing's status and visibility. */
  @Column('text', { default: 'none' })
  audience: 'none' | 'public' | 'organisation';

  /** Whether its listing is private now: of such a one nobody else is told more than that it is gone. */
  @Column('boolean', { name: 'is_private', default: false })
  isPrivate: boolean;

  /** Whether everybody could see it at some time: then its end must be told to those who follow the registry. */
  @Column('boolean', { name: 'was_public', default: false })
  wasPublic: boolean;
}
