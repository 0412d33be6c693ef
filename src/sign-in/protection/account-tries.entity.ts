import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Failed tries to sign in to one account, whether it exists or not. */
@Entity('account_tries', { comment: 'owner: sign-in' })
export class AccountTries {
  /** A keyed digest of the address that was typed, so that the row names no one. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'account_tries_pkey' })
  key: Buffer;

  @Column('integer')
  failures: number;

  /** Tries before are rejected without looking at the password. */
  @Column('timestamp with time zone', { name: 'blocked_until', precision: 3 })
  blockedUntil: Date;

  @Index('account_tries_expires_at_idx')
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
