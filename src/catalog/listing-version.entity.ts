import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Listing } from './listing.entity';
import type { ServerDocument } from './server-document';

/** An immutable `server.json` document of a listing. */
@Entity('listing_versions')
@Index('listing_versions_latest_key', ['listingId'], { unique: true, where: 'is_latest' })
export class ListingVersion {
  @PrimaryColumn('uuid', { name: 'listing_id', primaryKeyConstraintName: 'listing_versions_pkey' })
  listingId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'listing_versions_pkey' })
  version: string;

  @ManyToOne(() => Listing, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'listing_id', foreignKeyConstraintName: 'listing_versions_listing_id_fkey' })
  listing: Relation<Listing>;

  @Column('jsonb')
  server: ServerDocument;

  @Column('boolean', { name: 'is_latest' })
  isLatest: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
