import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UpstreamRow } from './upstream.entity';

const KEY = 'upstream_sessions_pkey';

/**
 * A session with an upstream of the legacy era, for any process to use. Never shared: each principal has sessions of their
 * own, one for each entry and for each set of capabilities that their clients declare.
 */
@Entity('upstream_sessions', { comment: 'owner: gateway' })
@Index('upstream_sessions_used_at_idx', ['usedAt'])
export class UpstreamSession {
  /** The person or the access token. */
  @PrimaryColumn('text', { primaryKeyConstraintName: KEY })
  principal: string;

  @PrimaryColumn('uuid', { name: 'entry_id', primaryKeyConstraintName: KEY })
  entryId: string;

  @Index('upstream_sessions_upstream_id_idx')
  @PrimaryColumn('uuid', { name: 'upstream_id', primaryKeyConstraintName: KEY })
  upstreamId: string;

  @ManyToOne(() => UpstreamRow, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'upstream_id', foreignKeyConstraintName: 'upstream_sessions_upstream_id_fkey' })
  upstream: Relation<UpstreamRow>;

  /** The digest of the capabilities. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: KEY })
  capabilities: Buffer;

  @Column('text')
  revision: string;

  /**
   * `Mcp-Session-Id`, sealed; null if the upstream gave none. Not resealed when `SECRETS_KEY` changes: a session that cannot
   * be opened is begun again, as one that has ended is.
   */
  @Column('bytea', { name: 'session_id', nullable: true })
  sessionId: Buffer | null;

  /** The sessions of clients that use it, by keys that say nothing about them; '': also others, so that no one ends it early. */
  @Column('bytea', { array: true, default: '{}' })
  holders: Buffer[];

  /** The level of log messages that it was set to, by its place in `LOG_LEVELS`; null: to none. */
  @Column('smallint', { name: 'log_level', nullable: true })
  logLevel: number | null;

  @Column('timestamp with time zone', { name: 'used_at', precision: 3, default: () => 'now()' })
  usedAt: Date;
}
