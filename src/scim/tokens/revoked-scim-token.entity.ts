import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { Organisation } from '../../organisations/organisation.entity';

/** A revoked SCIM token: gives no access, but the provisioning log can show that it is still in use. */
@Entity('revoked_scim_tokens', { comment: 'owner: scim' })
@Unique('revoked_scim_tokens_digest_key', ['digest'])
@Index('revoked_scim_tokens_org_id_idx', ['orgId', 'revokedAt'])
export class RevokedScimToken {
  /** The revoked token has this id. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'revoked_scim_tokens_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'revoked_scim_tokens_org_id_fkey' })
  organisation: Relation<Organisation>;

  @Column('bytea')
  digest: Buffer;

  @Column('timestamp with time zone', { name: 'revoked_at', precision: 3, default: () => 'now()' })
  revokedAt: Date;
}
