import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { ClientMetadata } from './client-rules';

/** Who made a client: a platform administrator, or the client itself (RFC 7591). */
export const CLIENT_SOURCES = ['ADMINISTRATOR', 'REGISTRATION'] as const;

export type ClientSource = (typeof CLIENT_SOURCES)[number];

/** A client of the authorization server; those with a metadata document have no row. */
@Entity('oauth_clients', { comment: 'owner: auth' })
@Check('oauth_clients_source_check', `source IN ('ADMINISTRATOR', 'REGISTRATION')`)
@Index('oauth_clients_registered_from_idx', ['registeredFrom', 'createdAt'], { where: 'registered_from IS NOT NULL' })
@Index('oauth_clients_registered_at_idx', ['createdAt'], { where: 'registered_from IS NOT NULL' })
export class OAuthClient {
  /** Also its `client_id`. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_clients_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  source: ClientSource;

  /** RFC 7591, section 2, without the name, the id and any secret. */
  @Column('jsonb')
  metadata: ClientMetadata;

  /** Whether a platform administrator has decided that nobody needs to consent. */
  @Column('boolean', { name: 'is_trusted', default: false })
  isTrusted: boolean;

  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  /** A keyed digest of the network that registered it, to count. */
  @Column('bytea', { name: 'registered_from', nullable: true })
  registeredFrom: Buffer | null;

  /** To the day. Registered clients that nobody uses are deleted. */
  @Index('oauth_clients_last_used_idx', { where: `source = 'REGISTRATION'` })
  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3 })
  lastUsedAt: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
