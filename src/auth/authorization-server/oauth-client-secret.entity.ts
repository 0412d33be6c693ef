import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { OAuthClient } from './oauth-client.entity';

/** The digest of a client's secret. Two are valid while a secret is being rotated. */
@Entity('oauth_client_secrets', { comment: 'owner: auth' })
@Index('oauth_client_secrets_client_id_idx', ['clientId', 'id'])
export class OAuthClientSecret {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'oauth_client_secrets_pkey' })
  id: string;

  @Column('uuid', { name: 'client_id' })
  clientId: string;

  @ManyToOne(() => OAuthClient, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'client_id', foreignKeyConstraintName: 'oauth_client_secrets_client_id_fkey' })
  client: Relation<OAuthClient>;

  /** SHA-256; the secret has 256 random bits. */
  @Column('bytea')
  digest: Buffer;

  /** Null: until it is rotated. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
