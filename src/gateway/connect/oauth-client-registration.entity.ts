import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Who we are for an authorization server at which we have registered ourselves (RFC 7591). One for each issuer. */
@Entity('oauth_client_registrations', { comment: 'owner: gateway' })
@Unique('oauth_client_registrations_issuer_key', ['issuer'])
@Index('oauth_client_registrations_used_at_idx', ['usedAt'])
export class OAuthClientRegistration {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_client_registrations_pkey' })
  id: string;

  @Column('text')
  issuer: string;

  /** The last part of its path is the id, so that no other authorization server can send anyone there. */
  @Column('text', { name: 'redirect_uri' })
  redirectUri: string;

  @Column('text', { name: 'client_id' })
  clientId: string;

  /** By `ClientRegistrations`; null: it gave none. */
  @Column('bytea', { name: 'encrypted_secret', nullable: true })
  encryptedSecret: Buffer | null;

  /** How we authenticate there, as it says. */
  @Column('text', { name: 'token_auth', nullable: true })
  tokenAuth: string | null;

  /** When the secret expires; null: it does not. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @Column('timestamp with time zone', { name: 'used_at', precision: 3, default: () => 'now()' })
  usedAt: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
