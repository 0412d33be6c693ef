import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';
import {
  POLICY_EFFECTS,
  POLICY_HINTS,
  POLICY_ROLES,
  type PolicyEffect,
  type PolicyHint,
  type PolicyRole,
  SUBJECT_KINDS,
  type SubjectKind,
} from './policy-rule';

const oneOf = (values: readonly string[]) => `('${values.join(`', '`)}')`;

/** A rule of a bundle about who may use what. Groups, people, tokens and entries that are gone stay named: a rule then fits nothing. */
@Entity('bundle_policies', { comment: 'owner: gateway' })
@Check('bundle_policies_effect_check', `effect IN ${oneOf(POLICY_EFFECTS)}`)
@Check('bundle_policies_subject_kind_check', `subject_kind IN ${oneOf(SUBJECT_KINDS)}`)
@Check('bundle_policies_subject_role_check', `subject_role IN ${oneOf(POLICY_ROLES)}`)
@Check('bundle_policies_hint_check', `hint IN ${oneOf(POLICY_HINTS)}`)
export class BundlePolicy {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'bundle_policies_pkey' })
  bundleId: string;

  @ManyToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_policies_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  /** In the list, from 0. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'bundle_policies_pkey' })
  place: number;

  @Column('text')
  effect: PolicyEffect;

  @Column('text', { name: 'subject_kind' })
  subjectKind: SubjectKind;

  @Column('text', { name: 'subject_role', nullable: true })
  subjectRole: PolicyRole | null;

  /** The subject is a SCIM group, a person or an access token with this id. */
  @Column('uuid', { name: 'subject_id', nullable: true })
  subjectId: string | null;

  /** A pattern of names at servers. */
  @Column('text')
  tools: string;

  @Column('text', { nullable: true })
  hint: PolicyHint | null;

  @Column('uuid', { name: 'entry_id', nullable: true })
  entryId: string | null;
}
