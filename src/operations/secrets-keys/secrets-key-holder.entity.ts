import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that runs, and the ids of its keys. Its row is removed when it ends, and ignored when it is not renewed. */
@Entity('secrets_key_holders', { comment: 'owner: operations' })
export class SecretsKeyHolder {
  /** Chosen by the process when it starts. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'secrets_key_holders_pkey' })
  id: string;

  /** The key with which it seals and signs. */
  @Column('text', { name: 'sealing_key' })
  sealingKey: string;

  /** All keys that it accepts, including `sealing_key`. */
  @Column('text', { name: 'known_keys', array: true })
  knownKeys: string[];

  @Column('timestamp with time zone', { name: 'seen_at', precision: 3 })
  seenAt: Date;
}
