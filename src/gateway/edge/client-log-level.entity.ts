import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The level that a client with a session wants log messages at or above of. */
@Entity('client_log_levels', { comment: 'owner: gateway' })
@Index('client_log_levels_principal_idx', ['principal', 'expiresAt'])
@Index('client_log_levels_expires_at_idx', ['expiresAt'])
export class ClientLogLevel {
  /** The key of the session, which says nothing about it. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'client_log_levels_pkey' })
  session: Buffer;

  @Column('text')
  principal: string;

  /** Its place in `LOG_LEVELS`: 0 is the most verbose. */
  @Column('smallint')
  level: number;

  /** When the session is over at the latest. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
