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
  Unique,
} from 'typeorm';
import { Organisation } from '../../organisations/organisation.entity';
import { User } from '../../users/user.entity';

/** How a holder obtained the namespace: by a TXT record at its domain, or granted by a platform administrator. */
export const NAMESPACE_METHODS = ['dns', 'grant'] as const;
export type NamespaceMethod = (typeof NAMESPACE_METHODS)[number];

/**
 * The right of an organisation or user to publish public listings under a namespace, or their unproved claim to it
 * (contract, section 12.3).
 */
@Entity('namespaces', { comment: 'owner: catalog' })
@Unique('namespaces_holder_key', ['namespace', 'orgId', 'userId'])
@Index('namespaces_org_id_idx', ['orgId', 'id'])
@Index('namespaces_user_id_idx', ['userId', 'id'])
@Check('namespaces_holder_check', 'num_nonnulls(org_id, user_id) = 1')
@Check(
  'namespaces_method_check',
  `method = 'dns' AND challenge IS NOT NULL OR method = 'grant' AND challenge IS NULL AND verified_at IS NOT NULL`,
)
export class Namespace {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'namespaces_pkey' })
  id: string;

  /** In lower case: `com.example`. */
  @Column('text')
  namespace: string;

  @Column('uuid', { name: 'org_id', nullable: true })
  orgId: string | null;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'namespaces_org_id_fkey' })
  organisation: Relation<Organisation> | null;

  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'namespaces_user_id_fkey' })
  user: Relation<User> | null;

  @Column('text')
  method: NamespaceMethod;

  /** The content of the TXT record; null for a grant. Not a secret: the DNS is public. */
  @Column('text', { nullable: true })
  challenge: string | null;

  /** Null if the record has not been checked yet or was not found. */
  @Column('timestamp with time zone', { name: 'verified_at', precision: 3, nullable: true })
  verifiedAt: Date | null;

  /** When the DNS was last queried. */
  @Column('timestamp with time zone', { name: 'checked_at', precision: 3, nullable: true })
  checkedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
