import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation, UpdateDateColumn } from 'typeorm';
import { Bundle } from '../../bundles/bundle.entity';
import {
  DEFAULT_ACCESS,
  type DefaultAccess,
  ENDPOINT_NAMINGS,
  ENDPOINT_PRESENTATIONS,
  type EndpointNaming,
  type EndpointPresentation,
  RECORD_MODES,
  RECORDED_ARGUMENTS,
  type RecordedArguments,
  type RecordMode,
} from './endpoint-enums';
import { NAME_BUDGET } from '../protocol/exposed-name';

/** The settings of a bundle as an MCP endpoint. A bundle without a row has the defaults, so its endpoint is disabled. */
@Entity('bundle_endpoints', { comment: 'owner: gateway' })
@Check('bundle_endpoints_naming_check', `naming IN ('${ENDPOINT_NAMINGS.join(`', '`)}')`)
@Check('bundle_endpoints_default_access_check', `default_access IN ('${DEFAULT_ACCESS.join(`', '`)}')`)
@Check('bundle_endpoints_presentation_check', `presentation IN ('${ENDPOINT_PRESENTATIONS.join(`', '`)}')`)
@Check('bundle_endpoints_name_budget_check', `name_budget BETWEEN ${NAME_BUDGET.least} AND ${NAME_BUDGET.most}`)
@Check('bundle_endpoints_record_check', `record IN ('${RECORD_MODES.join(`', '`)}')`)
@Check('bundle_endpoints_record_arguments_check', `record_arguments IN ('${RECORDED_ARGUMENTS.join(`', '`)}')`)
export class BundleEndpoint {
  @PrimaryColumn('uuid', { name: 'bundle_id', primaryKeyConstraintName: 'bundle_endpoints_pkey' })
  bundleId: string;

  @OneToOne(() => Bundle, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'bundle_id', foreignKeyConstraintName: 'bundle_endpoints_bundle_id_fkey' })
  bundle: Relation<Bundle>;

  @Column('boolean', { name: 'is_enabled', default: false })
  isEnabled: boolean;

  @Column('text', { default: 'PREFIX' })
  naming: EndpointNaming;

  /** How long names of tools and prompts may be, in characters. */
  @Column('integer', { name: 'name_budget', default: NAME_BUDGET.fallback })
  nameBudget: number;

  /** What counts for those of whom no rule says anything. */
  @Column('text', { name: 'default_access', default: 'ALLOW' })
  defaultAccess: DefaultAccess;

  @Column('text', { default: 'ALL' })
  presentation: EndpointPresentation;

  /** When the row of a call is written. */
  @Column('text', { default: 'BUFFERED' })
  record: RecordMode;

  /** What it says of arguments. */
  @Column('text', { name: 'record_arguments', default: 'NONE' })
  recordArguments: RecordedArguments;

  /** Raised by every change, also of the rules, so that no process answers by settings that it remembers. */
  @Column('bigint', { default: 1 })
  stamp: string;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
