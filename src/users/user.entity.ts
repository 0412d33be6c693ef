import { Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A user's account. Until an identity claims it, it is a row that provisioning created for an address. */
@Entity('users', { comment: 'owner: users' })
@Index('users_provisioned_email_key', { synchronize: false })
@Index('users_closed_at_idx', ['closedAt'], { where: 'closed_at IS NOT NULL' })
@Index('users_address_idx', { synchronize: false })
@Index('users_waiting_address_key', { synchronize: false })
@Index('users_words_idx', { synchronize: false })
@Index('users_active_idx', ['id'], { where: 'claimed_at IS NOT NULL AND closed_at IS NULL' })
@Index('users_waiting_idx', ['id'], { where: 'claimed_at IS NULL AND closed_at IS NULL' })
@Index('users_closed_idx', ['id'], { where: 'closed_at IS NOT NULL AND deleted_at IS NULL' })
@Index('users_platform_admin_idx', ['id'], { where: 'is_platform_admin' })
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /**
   * Verified by the issuer, or the address for which provisioning created the row. Compared with `address_key()`;
   * collation "C" for the indexes of the previous release.
   */
  @Column({ type: 'text', nullable: true, collation: 'C' })
  email: string | null;

  @Column('text', { nullable: true })
  name: string | null;

  /** When the user first signed in. */
  @Column('timestamp with time zone', { name: 'claimed_at', precision: 3, nullable: true })
  claimedAt: Date | null;

  /** When the issuer assigned the current address; null if the user has never signed in. */
  @Column('timestamp with time zone', { name: 'email_at', precision: 3, nullable: true })
  emailAt: Date | null;

  /** A closed account can no longer sign in. */
  @Column('timestamp with time zone', { name: 'closed_at', precision: 3, nullable: true })
  closedAt: Date | null;

  /** When it was deleted. It is then also closed, and the row contains no personal data. */
  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;

  /**
   * Has the same address as an older unclaimed row, from a time when the two compared as different. Cannot be claimed.
   */
  @Column('boolean', { name: 'is_twin', default: false })
  isTwin: boolean;

  /** Set up this instance, or was made an administrator of it by one. */
  @Column('boolean', { name: 'is_platform_admin', default: false })
  isPlatformAdmin: boolean;

  /** When a person last signed in in a browser; null if no one has. */
  @Column('timestamp with time zone', { name: 'signed_in_at', precision: 3, nullable: true })
  signedInAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
