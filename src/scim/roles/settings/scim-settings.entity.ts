import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organisation } from '../../../organisations/organisation.entity';
import { type Role, ROLES } from '../../../organisations/members/role';

/** The roles that users in no mapped group may get. */
export const DEFAULT_ROLES = ['MEMBER', 'ADMIN'] as const;

export const LAST_OWNER_POLICIES = ['retain', 'refuse'] as const;

/** What happens if the directory would leave the organisation without an active OWNER. */
export type LastOwnerPolicy = (typeof LAST_OWNER_POLICIES)[number];

/** How an organisation's directory determines roles (contract, section 7). */
@Entity('scim_settings', { comment: 'owner: scim' })
@Check('scim_settings_last_owner_policy_check', `last_owner_policy IN ('retain', 'refuse')`)
export class ScimSettingsRow {
  @PrimaryColumn('uuid', { name: 'org_id', primaryKeyConstraintName: 'scim_settings_pkey' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'scim_settings_org_id_fkey' })
  organisation: Relation<Organisation>;

  /** Null: users in no mapped group have no access. */
  @Column({
    type: 'enum',
    enum: ROLES,
    enumName: 'organisation_role',
    name: 'default_role',
    nullable: true,
    default: 'MEMBER',
  })
  defaultRole: Role | null;

  /** Unless it is true, mappings to OWNER have no effect. */
  @Column('boolean', { name: 'allow_owner_mapping', default: false })
  allowOwnerMapping: boolean;

  @Column('text', { name: 'last_owner_policy', default: 'retain' })
  lastOwnerPolicy: LastOwnerPolicy;
}
