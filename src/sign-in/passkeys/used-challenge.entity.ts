import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A challenge of WebAuthn that was answered: it counts once, on all replicas. Kept until it would have expired. */
@Entity('used_passkey_challenges', { comment: 'owner: sign-in' })
@Index('used_passkey_challenges_expires_at_idx', ['expiresAt'])
export class UsedChallenge {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'used_passkey_challenges_pkey' })
  digest: Buffer;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
