import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The identity of an account that was deleted: tokens that were issued before count no more. */
@Entity('deleted_identities', { comment: 'owner: users' })
export class DeletedIdentity {
  /** SHA-256 of issuer and subject: enough to recognise a token by, and to find nobody by. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'deleted_identities_pkey' })
  digest: Buffer;

  @Index('deleted_identities_deleted_at_idx')
  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, default: () => 'now()' })
  deletedAt: Date;
}
