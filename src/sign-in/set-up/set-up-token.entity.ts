import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The secret of a link to the set-up page. */
@Entity('set_up_tokens', { comment: 'owner: sign-in' })
export class SetUpToken {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'set_up_tokens_pkey' })
  digest: Buffer;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
