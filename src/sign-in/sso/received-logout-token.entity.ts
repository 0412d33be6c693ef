import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A logout token that a provider has sent, kept as long as it would be accepted again. */
@Entity('sso_logout_tokens', { comment: 'owner: sign-in' })
export class ReceivedLogoutToken {
  /** SHA-256 of issuer and `jti`. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'sso_logout_tokens_pkey' })
  digest: Buffer;

  @Index('sso_logout_tokens_expires_at_idx')
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
