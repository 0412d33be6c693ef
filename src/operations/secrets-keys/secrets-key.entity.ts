import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value of `SECRETS_KEY` that may have sealed something in this database, until `npm run re-encrypt` removes it. */
@Entity('secrets_keys', { comment: 'owner: operations' })
export class SecretsKey {
  /** Derived from the key, see `Secrets.ids`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'secrets_keys_pkey' })
  id: string;

  @Column('timestamp with time zone', { name: 'first_used_at', precision: 3, default: () => 'now()' })
  firstUsedAt: Date;
}
