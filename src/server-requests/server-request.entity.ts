import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Listing } from '../catalog/listings/listing.entity';
import { Organisation } from '../organisations/organisation.entity';
import { User } from '../users/user.entity';
import { SERVER_REQUEST_STATUSES, type ServerRequestStatus } from './server-request-status';

/** A member of an organisation asks its administrators for a server. */
@Entity('server_requests', { comment: 'owner: server-requests' })
@Index('server_requests_org_id_idx', ['orgId', 'id'])
@Index('server_requests_status_idx', ['orgId', 'status', 'id'])
@Index('server_requests_requested_by_idx', ['requestedBy', 'orgId', 'id'])
@Index('server_requests_own_status_idx', ['requestedBy', 'orgId', 'status', 'id'])
@Index('server_requests_open_key', ['orgId', 'requestedBy', 'subjectKey'], { unique: true, where: `status = 'OPEN'` })
@Index('server_requests_over_idx', ['id'], { where: `status <> 'OPEN'` })
@Check('server_requests_status_check', `status IN ('${SERVER_REQUEST_STATUSES.join(`', '`)}')`)
@Check('server_requests_decided_check', `(status = 'OPEN') = (decided_at IS NULL)`)
@Check('server_requests_listing_check', `listing_id IS NULL OR listing_name IS NOT NULL`)
export class ServerRequest {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'server_requests_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'server_requests_org_id_fkey' })
  organisation: Relation<Organisation>;

  /** Null: it is asked for by a name, or the listing was deleted. */
  @Index('server_requests_listing_id_idx')
  @Column('uuid', { name: 'listing_id', nullable: true })
  listingId: string | null;

  @ManyToOne(() => Listing, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'listing_id', foreignKeyConstraintName: 'server_requests_listing_id_fkey' })
  listing: Relation<Listing> | null;

  /** The listing, which may be deleted since, has this name; null: the server is asked for by a name. */
  @Column('text', { name: 'listing_name', nullable: true })
  listingName: string | null;

  /** As typed; for a listing, its title at that time. */
  @Column('text')
  name: string;

  /** What two requests for the same thing have in common. Stays when the listing goes, so that this changes no request. */
  @Column('text', { name: 'subject_key' })
  subjectKey: string;

  @Column('text')
  why: string;

  @Column('text', { default: 'OPEN' })
  status: ServerRequestStatus;

  @Column('uuid', { name: 'requested_by' })
  requestedBy: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'requested_by', foreignKeyConstraintName: 'server_requests_requested_by_fkey' })
  requester: Relation<User>;

  @Index('server_requests_decided_by_idx')
  @Column('uuid', { name: 'decided_by', nullable: true })
  decidedBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'decided_by', foreignKeyConstraintName: 'server_requests_decided_by_fkey' })
  decider: Relation<User> | null;

  /** The person who decided gave this answer. */
  @Column('text', { nullable: true })
  answer: string | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When it was decided or withdrawn. */
  @Column('timestamp with time zone', { name: 'decided_at', precision: 3, nullable: true })
  decidedAt: Date | null;
}
