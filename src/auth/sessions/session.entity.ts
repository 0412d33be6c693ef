import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { EmailState } from '../verified-address';
import { User } from '../../users/user.entity';

/** A browser in which a person is signed in. Its cookie is a random secret, of which only the digest is stored. */
@Entity('sessions', { comment: 'owner: auth' })
@Index('sessions_digest_key', ['digest'], { unique: true })
@Index('sessions_user_id_idx', ['userId', 'id'])
@Index('sessions_expires_at_idx', ['expiresAt'])
@Index('sessions_last_seen_at_idx', ['lastSeenAt'])
@Index('sessions_identity_idx', ['identityIssuer', 'identitySubject'], { where: 'identity_issuer IS NOT NULL' })
@Index('sessions_identity_sid_idx', ['identityIssuer', 'identitySid'], { where: 'identity_sid IS NOT NULL' })
export class StoredSession {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'sessions_pkey' })
  id: string;

  @Column('bytea')
  digest: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sessions_user_id_fkey' })
  user: Relation<User>;

  /** How the person signed in (RFC 8176): `pwd`, `hwk` with `user` for a passkey, `otp` for a recovery code, `sso`. */
  @Column('text', { array: true })
  methods: string[];

  /** When the session began; signing in again within it moves it. */
  @Column('timestamp with time zone', { name: 'signed_in_at', precision: 3 })
  signedInAt: Date;

  /**
   * When the person last proved who they are, such as by entering a password; null if an identity provider let them in
   * without saying when they did.
   */
  @Column('timestamp with time zone', { name: 'proved_at', precision: 3, nullable: true })
  provedAt: Date | null;

  /** At most a minute older than the last request. */
  @Column('timestamp with time zone', { name: 'last_seen_at', precision: 3 })
  lastSeenAt: Date;

  /** The absolute end, however much it is used. */
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  /** Until then a process notifies the clients of an ended session that the person is signed out. */
  @Column('timestamp with time zone', { name: 'leased_until', precision: 3, nullable: true })
  leasedUntil: Date | null;

  /** The network address of the sign-in, in canonical form. */
  @Column('text')
  address: string;

  /** The `User-Agent` of the sign-in, shortened. */
  @Column('text')
  device: string;

  /** The issuer, subject and session id of the company's identity provider, for its back-channel logout. */
  @Column('text', { name: 'identity_issuer', nullable: true })
  identityIssuer: string | null;

  @Column('text', { name: 'identity_subject', nullable: true })
  identitySubject: string | null;

  @Column('text', { name: 'identity_sid', nullable: true })
  identitySid: string | null;

  /** The address in the provider's claims, verified or not, and whether it was: for the person to see. */
  @Column('text', { name: 'identity_email', nullable: true })
  identityEmail: string | null;

  @Column('text', { name: 'identity_email_state', nullable: true })
  identityEmailState: EmailState | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
