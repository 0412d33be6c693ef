import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Failed tries to sign in from one network address. */
@Entity('address_tries', { comment: 'owner: sign-in' })
export class AddressTries {
  /** A keyed digest of the address. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'address_tries_pkey' })
  key: Buffer;

  /** The tries of the last ten minutes, at most thirty, have these times. */
  @Column('timestamp with time zone', { array: true })
  moments: Date[];

  @Index('address_tries_expires_at_idx')
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
