import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The identity of a deleted account. Its tokens issued before the deletion are rejected. */
@Entity('deleted_identities', { comment: 'owner: users' })
export class DeletedIdentity {
  /** SHA-256 of issuer and subject: recognises a token, but does not reveal the user. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'deleted_identities_pkey' })
  digest: Buffer;

  @Index('deleted_identities_deleted_at_idx')
  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, default: () => 'now()' })
  deletedAt: Date;
}
