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

  /** As published; json (not jsonb) keeps the field order. */
  @Column('json')
  server: ServerDocument;

  /** Markdown that came with the document; null: what the document itself has (`documentationOf`). */
  @Column('text', { nullable: true })
  documentation: string | null;

  /** Size of the document; written by a trigger. */
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

  /** The status in the registry API; `deleted` also if an import found the version deleted at its source. */
  @Column('text', { default: 'active' })
  status: 'active' | 'deprecated' | 'deleted';

  @Column('text', { name: 'status_message', nullable: true })
  statusMessage: string | null;

  @Column('timestamp with time zone', { name: 'status_changed_at', precision: 3, nullable: true })
  statusChangedAt: Date | null;

  @Column('timestamp with time zone', { name: 'published_at', precision: 3, nullable: true })
  publishedAt: Date | null;

  /** When anything that the registry API shows of this version last changed; written by a trigger, in commit order. */
  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** Who may see it now; derived from the listing's status and visibility. */
  @Column('text', { default: 'none' })
  audience: 'none' | 'public' | 'organisation';

  /** Whether the listing is private now; outsiders then learn only that the version is gone. */
  @Column('boolean', { name: 'is_private', default: false })
  isPrivate: boolean;

  /** Whether it was ever public; if so, the registry API must report its removal to clients that follow changes. */
  @Column('boolean', { name: 'was_public', default: false })
  wasPublic: boolean;
}
