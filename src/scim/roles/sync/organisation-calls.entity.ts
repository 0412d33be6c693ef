import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organisation } from '../../../organisations/organisation.entity';

/** The calls of an organisation's expensive operations in the last minute (call-rate.ts). */
@Entity('organisation_calls', { comment: 'owner: scim' })
export class OrganisationCalls {
  @PrimaryColumn('uuid', { name: 'org_id', primaryKeyConstraintName: 'organisation_calls_pkey' })
  orgId: string;

  @ManyToOne(() => Organisation, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'org_id', foreignKeyConstraintName: 'organisation_calls_org_id_fkey' })
  organisation: Relation<Organisation>;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'organisation_calls_pkey' })
  operation: string;

  /** In chronological order. */
  @Column('timestamp with time zone', { array: true })
  calls: Date[];
}
