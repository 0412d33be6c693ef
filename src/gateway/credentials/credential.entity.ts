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
import { Bundle } from '../../bundles/bundle.entity';
import { Listing } from '../../catalog/listings/listing.entity';
import { Organisation } from '../../organisations/organisation.entity';
import { User } from '../../users/user.entity';
import {
  CREDENTIAL_KINDS,
  CREDENTIAL_STATUSES,
  type CredentialKind,
  type CredentialOwnerKind,
  type CredentialStatus,
} from './credential-kinds';

/**
 * What is sent to a server so that it knows who calls, without its values. Those of a person and of a bundle are for one
 * entry; those of an organisation are for a listing, and serve the entries of all its bundles that may use shared ones.
 */
@Entity('credentials', { comment: 'owner: gateway' })
@Check('credentials_kind_check', `kind IN ('${CREDENTIAL_KINDS.join(`', '`)}')`)
@Check('credentials_status_check', `status IN ('${CREDENTIAL_STATUSES.join(`', '`)}')`)
@Check(
  'credentials_owner_check',
  `CASE owner
     WHEN 'PERSON' THEN num_nonnulls(person_id, bundle_id, entry_id) = 3 AND num_nonnulls(organisation_id, listing_id) = 0
     WHEN 'BUNDLE' THEN num_nonnulls(bundle_id, entry_id) = 2
       AND num_nonnulls(person_id, organisation_id, listing_id) = 0
     WHEN 'ORGANISATION' THEN num_nonnulls(organisation_id, listing_id) = 2
       AND num_nonnulls(person_id, bundle_id, entry_id) = 0
     ELSE false
   END`,
)
@Index('credentials_person_entry_key', ['personId', 'entryId'], { unique: true, where: `owner = 'PERSON'` })
@Index('credentials_bundle_entry_key', ['bundleId', 'entryId'], { unique: true, where: `owner = 'BUNDLE'` })
@Index('credentials_organisation_listing_key', ['organisationId', 'listingId'], {
  unique: true,
  where: `owner = 'ORGANISATION'`,
})
@Index('credentials_issuer_idx', ['issuer'], { where: 'issuer IS NOT NULL' })
@Index('credentials_person_id_idx', ['personId', 'id'])
@Index('credentials_bundle_id_idx', ['bundleId', 'id'])
@Index('credentials_organisation_id_idx', ['organisationId', 'id'])
export class Credential {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'credentials_pkey' })
  id: string;

  @Column('text')
  kind: CredentialKind;

  @Column('text')
  owner: CredentialOwnerKind;

  @Column('uuid', { name: 'person_id', nullable: true })
  personId: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'person_id', foreignKeyConstraintName: 'credentials_person_id_fkey' })
  person: Relation<User> | null;

  /** This is the bundle of the entry; a credential of a person has one, too, and is deleted with the bundle. */
  @Column('uuid', { name: 'bundle_id', nullable: true })
  bundleId: string | null;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'credentials_bundle_id_fkey' })
  bundle: Relation<Bundle> | null;

  /** Without a foreign key: an entry that was removed comes back with a version of the bundle that is restored. */
  @Column('uuid', { name: 'entry_id', nullable: true })
  entryId: string | null;

  @Column('uuid', { name: 'organisation_id', nullable: true })
  organisationId: string | null;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'organisation_id', foreignKeyConstraintName: 'credentials_organisation_id_fkey' })
  organisation: Relation<Organisation> | null;

  @Index('credentials_listing_id_idx')
  @Column('uuid', { name: 'listing_id', nullable: true })
  listingId: string | null;

  @ManyToOne(() => Listing, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'listing_id', foreignKeyConstraintName: 'credentials_listing_id_fkey' })
  listing: Relation<Listing> | null;

  /** `https://host` or `https://host:port`: it is sent nowhere else (ADR 49). */
  @Column('text')
  origin: string;

  /** Others to which its entry has pointed since, and of which an event told; the last one at the end. */
  @Column('text', { name: 'seen_origins', array: true, default: '{}' })
  seenOrigins: string[];

  /** Raised by every change, except that its tokens were renewed. */
  @Column('integer', { default: 1 })
  version: number;

  @Column('text', { default: 'ACTIVE' })
  status: CredentialStatus;

  /** The issuer belongs to its tokens, as do the following columns. */
  @Column('text', { nullable: true })
  issuer: string | null;

  /** What the client is called there, which is no secret. */
  @Column('text', { name: 'client_id', nullable: true })
  clientId: string | null;

  @Column('text', { name: 'token_endpoint', nullable: true })
  tokenEndpoint: string | null;

  /** Where they are revoked (RFC 7009); null: nowhere. */
  @Column('text', { name: 'revocation_endpoint', nullable: true })
  revocationEndpoint: string | null;

  /** How the client authenticates at these endpoints: `none`, `client_secret_basic` or `client_secret_post`. */
  @Column('text', { name: 'token_auth', nullable: true })
  tokenAuth: string | null;

  /** Until when a process has time to renew its tokens; null: none does. */
  @Column('timestamp with time zone', { name: 'renewing_until', precision: 3, nullable: true })
  renewingUntil: Date | null;

  /** For which they are (RFC 8707). */
  @Column('text', { nullable: true })
  resource: string | null;

  @Column('text', { array: true, nullable: true })
  scopes: string[] | null;

  /** When the access token expires; null: no one knows. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Index('credentials_created_by_idx')
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'credentials_created_by_fkey' })
  creator: Relation<User> | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
