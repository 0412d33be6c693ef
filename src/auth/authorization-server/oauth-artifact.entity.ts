import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { StoredSession } from '../sessions/session.entity';

/**
 * What the protocol library stores: codes, refresh tokens, grants, sessions, interactions. No column grants access: ids
 * are digests, and the payload is encrypted (`artifact-cipher.ts`).
 */
@Entity('oauth_artifacts', { comment: 'owner: auth' })
@Index('oauth_artifacts_account_idx', ['accountId', 'model', 'id'], { where: 'account_id IS NOT NULL' })
export class OAuthArtifact {
  /** The model and the id that the library chose, which is often a secret, have this digest. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_artifacts_pkey' })
  digest: Buffer;

  /** What our own API calls the row; version 7. */
  @Column('uuid')
  id: string;

  @Column('text')
  model: string;

  /** The `digest` of the grant that this row belongs to. */
  @Index('oauth_artifacts_grant_digest_idx', { where: 'grant_digest IS NOT NULL' })
  @Column('bytea', { name: 'grant_digest', nullable: true })
  grantDigest: Buffer | null;

  @Index('oauth_artifacts_user_code_digest_idx', { where: 'user_code_digest IS NOT NULL' })
  @Column('bytea', { name: 'user_code_digest', nullable: true })
  userCodeDigest: Buffer | null;

  @Index('oauth_artifacts_uid_digest_idx', { where: 'uid_digest IS NOT NULL' })
  @Column('bytea', { name: 'uid_digest', nullable: true })
  uidDigest: Buffer | null;

  @Column('uuid', { name: 'account_id', nullable: true })
  accountId: string | null;

  @Index('oauth_artifacts_client_id_idx', { where: 'client_id IS NOT NULL' })
  @Column('text', { name: 'client_id', nullable: true })
  clientId: string | null;

  /** The session of the console in which a session of the library began, and with which it ends. */
  @Index('oauth_artifacts_session_id_idx')
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId: string | null;

  @ManyToOne(() => StoredSession, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'session_id', foreignKeyConstraintName: 'oauth_artifacts_session_id_fkey' })
  session: Relation<StoredSession> | null;

  @Column('bytea')
  payload: Buffer;

  @Column('timestamp with time zone', { name: 'consumed_at', precision: 3, nullable: true })
  consumedAt: Date | null;

  @Index('oauth_artifacts_expires_at_idx')
  @Column('timestamp with time zone', { name: 'expires_at', precision: 3 })
  expiresAt: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
