import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A person's account. Until an identity claims it, it is a row that provisioning made for an address. */
@Entity('users', { comment: 'owner: users' })
@Index('users_email_idx', { synchronize: false })
@Index('users_provisioned_email_key', { synchronize: false })
@Index('users_closed_at_idx', ['closedAt'], { where: 'closed_at IS NOT NULL' })
@Index('users_address_idx', { synchronize: false })
@Index('users_waiting_address_key', { synchronize: false })
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /**
   * Verified by the issuer, or the address for which provisioning made the row. Compared by `address_key()`; in "C" for
   * the indexes of the release before.
   */
  @Column({ type: 'text', nullable: true, collation: 'C' })
  email: string | null;

  @Column('text', { nullable: true })
  name: string | null;

  /** When somebody first signed in as this user. */
  @Column('timestamp with time zone', { name: 'claimed_at', precision: 3, nullable: true })
  claimedAt: Date | null;

  /** When the issuer came to call them by the address that they have now; null: nobody has signed in. */
  @Column('timestamp with time zone', { name: 'email_at', precision: 3, nullable: true })
  emailAt: Date | null;

  /** A closed account can no longer sign in. */
  @Column('timestamp with time zone', { name: 'closed_at', precision: 3, nullable: true })
  closedAt: Date | null;

  /** When it was deleted: it is closed too, and of the person nothing is left in the row. */
  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** Waits for the same address as an older row, from before the two were compared as they are now; nobody can claim it. */
  @Column('boolean', { name: 'is_twin', default: false })
  isTwin: boolean;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
