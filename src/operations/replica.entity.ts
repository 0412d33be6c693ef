import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A process that serves this database; a handful of rows, so no index is needed besides the key. */
@Entity('replicas', { comment: 'owner: operations' })
export class Replica {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'replicas_pkey' })
  id: string;

  /** What it runs: `api`, `worker`. */
  @Column('text', { array: true })
  parts: string[];

  /** Its release; null: one from before processes said so. */
  @Column('text', { nullable: true })
  version: string | null;

  @Column('timestamp with time zone', { name: 'started_at', precision: 3, default: () => 'now()' })
  startedAt: Date;

  /** By the clock of the database, so that the clocks of the processes do not matter. */
  @Column('timestamp with time zone', { name: 'seen_at', precision: 3, default: () => 'now()' })
  seenAt: Date;
}
