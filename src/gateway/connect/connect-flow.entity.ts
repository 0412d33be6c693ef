import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';

/** A person who was sent to an authorization server, and has not come back yet. Removed when they do, or after ten minutes. */
@Entity('connect_flows', { comment: 'owner: gateway' })
@Index('connect_flows_person_id_idx', ['personId', 'expiresAt'])
@Index('connect_flows_expires_at_idx', ['expiresAt'])
export class ConnectFlow {
  /** SHA-256 of `state`. */
  @PrimaryColumn('bytea', { name: 'state_digest', primaryKeyConstraintName: 'connect_flows_pkey' })
  stateDigest: Buffer;

  @Column('uuid', { name: 'person_id' })
  personId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'person_id', foreignKeyConstraintName: 'connect_flows_person_id_fkey' })
  person: Relation<User>;

  /** They began in the browser with this session. */
  @Column('uuid', { name: 'session_id' })
  sessionId: string;

  /** By `ConnectFlows`: for which entry, at which issuer, and the verifier of PKCE. */
  @Column('bytea')
  details: Buffer;

  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
