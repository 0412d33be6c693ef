import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { Credential } from './credential.entity';

/** A value of a credential, sealed: a secret header or variable, or a token. */
@Entity('credential_values', { comment: 'owner: gateway' })
@Unique('credential_values_name_key', ['credentialId', 'name'])
export class CredentialValue {
  /** Because `npm run re-encrypt` walks tables by keys of one column. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'credential_values_pkey' })
  id: string;

  @Column('uuid', { name: 'credential_id' })
  credentialId: string;

  @ManyToOne(() => Credential, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'credential_id', foreignKeyConstraintName: 'credential_values_credential_id_fkey' })
  credential: Relation<Credential>;

  @Column('text')
  name: string;

  /** By `CredentialSeal`. */
  @Column('bytea')
  sealed: Buffer;

  @Column('timestamp with time zone', { name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
