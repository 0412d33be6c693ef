import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';
import { User } from '../../users/user.entity';
import { Organisation } from '../../organisations/organisation.entity';
import type { AccountNote } from './account-note';
import type { Consent } from './consent';
import type { UserAttributes } from '../protocol/schema/user-document';

/** A person in an organisation's directory. Deleted entries are kept, to keep blocking their access. */
@Entity('scim_users', { comment: 'owner: scim' })
@Check('scim_users_account_note_check', `account_note IN ('linked_by_user_name', 'address_taken')`)
@Index('scim_users_user_name_key', { synchronize: false })
@Index('scim_users_user_id_key', ['orgId', 'userId'], { unique: true, where: 'deleted_at IS NULL' })
@Index('scim_users_org_id_user_id_idx', ['orgId', 'userId'])
@Index('scim_users_living_idx', ['orgId', 'id'], { where: 'deleted_at IS NULL' })
@Index('scim_users_updated_at_idx', ['orgId', 'updatedAt', 'id'], { where: 'deleted_at IS NULL' })
@Index('scim_users_external_id_key', { synchronize: false })
@Index('scim_users_prepared_name_key', { synchronize: false })
@Index('scim_users_prepared_name_idx', { synchronize: false })
@Index('scim_users_email_keys_idx', { synchronize: false })
@Index('scim_users_display_name_idx', { synchronize: false })
@Index('scim_users_words_idx', { synchronize: false })
@Index('scim_users_unsettled_idx', ['orgId', 'userId'], {
  where: `deleted_at IS NULL AND (consent_user_id IS DISTINCT FROM user_id OR consent = 'PENDING')`,
})
@Check('scim_users_consent_check', `consent IN ('NOT_NEEDED', 'PENDING', 'ACCEPTED', 'OPTED_OUT')`)
export class ScimUser {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'scim_users_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'scim_users_org_id_fkey' })
  organisation: Relation<Organisation>;

  /** The account. */
  @Index('scim_users_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'scim_users_user_id_fkey' })
  user: Relation<User>;

  /** Collation "C" for `scim_users_user_name_key`; compared by `username_key()`. */
  @Column({ type: 'text', name: 'user_name', collation: 'C' })
  userName: string;

  /** Why the account is not the one of the entry's address, if so. */
  @Column('text', { name: 'account_note', nullable: true })
  accountNote: AccountNote | null;

  /** Assigned by the identity provider; never a key to anything else (RFC 7643, section 3.1). */
  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  @Column('text', { name: 'display_name', nullable: true })
  displayName: string | null;

  @Column('boolean', { default: true })
  active: boolean;

  /** All other attributes of the SCIM resource, under their names in the schema; an extension under its URN. */
  @Column('jsonb', { default: {} })
  attributes: UserAttributes;

  /** Whether the person agrees to the membership; applies to the account in `consentUserId`. */
  @Column('text', { default: 'NOT_NEEDED' })
  consent: Consent;

  /** If this differs from `userId`, or is null, consent has not been settled since the entry was linked. */
  @Column('uuid', { name: 'consent_user_id', nullable: true })
  consentUserId: string | null;

  /** Incremented on each change; the ETag is derived from it. */
  @Column('integer', { default: 1 })
  version: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  /** The name equals that of an older entry under the comparison of RFC 8265, because it predates that comparison. */
  @Column('boolean', { name: 'is_twin', default: false })
  isTwin: boolean;

  @Column('timestamp with time zone', { name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}
