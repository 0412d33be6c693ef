import {
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
import { Organisation } from '../organisations/organisation.entity';

/** A domain of an organisation. If proved or vouched for, its directory users become members immediately. */
@Entity('organisation_domains', { comment: 'owner: domains' })
@Unique('organisation_domains_domain_key', ['orgId', 'domain'])
@Index('organisation_domains_org_id_idx', ['orgId', 'id'])
export class OrganisationDomain {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organisation_domains_pkey' })
  id: string;

  @Column('uuid', { name: 'org_id' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'organisation_domains_org_id_fkey' })
  organisation: Relation<Organisation>;

  /** In lower case and ASCII form. */
  @Column('text')
  domain: string;

  /** The token in the TXT record. */
  @Column('text')
  token: string;

  /** When the record was last looked up. */
  @Column('timestamp with time zone', { name: 'checked_at', precision: 3, nullable: true })
  checkedAt: Date | null;

  /** When the record was last found. */
  @Column('timestamp with time zone', { name: 'proved_at', precision: 3, nullable: true })
  provedAt: Date | null;

  /** When a platform administrator vouched for the organisation. */
  @Column('timestamp with time zone', { name: 'vouched_at', precision: 3, nullable: true })
  vouchedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
