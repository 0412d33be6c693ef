import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** An answer of a client that reached another process than the one that waits for it, which removes it. */
@Entity('client_answers', { comment: 'owner: gateway' })
@Index('client_answers_created_at_idx', ['createdAt'])
export class ClientAnswer {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'client_answers_pkey' })
  key: string;

  /** JSON, sealed; in base64url. Gone after minutes, so it is not among what is sealed anew with another key. */
  @Column('text')
  body: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
