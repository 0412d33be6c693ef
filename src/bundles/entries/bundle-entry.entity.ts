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
  UpdateDateColumn,
} from 'typeorm';
import { Listing } from '../../catalog/listings/listing.entity';
import { Bundle } from '../bundle.entity';
import { CREDENTIAL_MODES, type CredentialMode } from './credential-mode';
import { NAME_AUDIENCES, type NameAudience } from './entry-list';
import { FORMER_PINNING, PINNINGS, type Pinning } from './pinning';

/** A listing in a bundle. When the listing is deleted the entry stays, with the name that the listing had. */
@Entity('bundle_entries', { comment: 'owner: bundles' })
@Unique('bundle_entries_listing_key', ['bundleId', 'listingId'])
@Unique('bundle_entries_key_key', ['bundleId', 'key'])
@Index('bundle_entries_listing_bundle_idx', ['listingId', 'bundleId'])
@Check('bundle_entries_name_known_to_check', `name_known_to IN ('${NAME_AUDIENCES.join(`', '`)}')`)
@Check('bundle_entries_credential_mode_check', `credential_mode IN ('${CREDENTIAL_MODES.join(`', '`)}')`)
@Check('bundle_entries_pinning_check', `pinning IN ('${PINNINGS.join(`', '`)}')`)
@Unique('bundle_entries_position_key', ['bundleId', 'position'], { deferrable: 'INITIALLY DEFERRED' })
export class BundleEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'bundle_entries_pkey' })
  id: string;

  @Column('uuid', { name: 'bundle_id' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_entries_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @Column('uuid', { name: 'listing_id', nullable: true })
  listingId: string | null;

  @ManyToOne(() => Listing, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'listing_id', foreignKeyConstraintName: 'bundle_entries_listing_id_fkey' })
  listing: Relation<Listing> | null;

  @Column('text', { name: 'listing_name' })
  listingName: string;

  /** The name of the server in the configuration of a client; stays as long as the entry does. */
  @Column('text')
  key: string;

  /** The version of the listing to which it is pinned; null: it follows the newest. */
  @Column('text', { nullable: true })
  version: string | null;

  /** From 0, without gaps. */
  @Column('integer')
  position: number;

  @Column('boolean', { name: 'is_enabled', default: true })
  isEnabled: boolean;

  @Column('jsonb', { default: {} })
  config: object;

  @Column('text', { name: 'credential_mode', default: 'NONE' })
  credentialMode: CredentialMode;

  @Column('text', { name: 'name_known_to', default: 'NOBODY' })
  nameKnownTo: NameAudience;

  /** What happens when its server changes the definition of a tool. */
  @Column('text', { default: FORMER_PINNING })
  pinning: Pinning;

  /** Where its server runs, if the listing has only packages; null: where the listing says. */
  @Column('text', { name: 'endpoint_url', nullable: true })
  endpointUrl: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
