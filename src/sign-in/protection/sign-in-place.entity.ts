import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A browser or a network from which a person has signed in: tries from there are counted apart from those of strangers. */
@Entity('sign_in_places', { comment: 'owner: sign-in' })
@Index('sign_in_places_account_idx', ['account', 'expiresAt'])
export class SignInPlace {
  /** A keyed digest of the place and the address of the account, and the key of the tries from there. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'sign_in_places_pkey' })
  key: Buffer;

  /** A keyed digest of the address of the account: the key of the tries from all other places. */
  @Column('bytea')
  account: Buffer;

  @Index('sign_in_places_expires_at_idx')
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
