import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/user.entity';

/** A passkey of an account: its public key only, so nothing here signs anybody in. */
@Entity('passkeys', { comment: 'owner: sign-in' })
@Index('passkeys_credential_id_key', ['credentialId'], { unique: true })
@Index('passkeys_user_id_idx', ['userId', 'id'])
export class Passkey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'passkeys_pkey' })
  id: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'passkeys_user_id_fkey' })
  user: Relation<User>;

  /** What the person calls it. */
  @Column('text')
  name: string;

  /** The authenticator chooses this id (WebAuthn, section 4), which is in base64url here. */
  @Column('text', { name: 'credential_id' })
  credentialId: string;

  /** In COSE. */
  @Column('bytea', { name: 'public_key' })
  publicKey: Buffer;

  /** The signature counter; 0 with authenticators that synchronise. */
  @Column('bigint')
  counter: string;

  /** Hints for the browser: `internal`, `hybrid`, `usb` … */
  @Column('text', { array: true })
  transports: string[];

  /** Whether it is synchronised to other devices of the person. */
  @Column('boolean', { name: 'is_backed_up' })
  isBackedUp: boolean;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
