import { Module } from '@nestjs/common';
import { RowRetention } from '../../database/row-retention';
import { ApprovedDefinition } from './approved-definition.entity';
import { BundlePolicy } from './bundle-policy.entity';
import { BundleTool } from './bundle-tool.entity';
import { FINDINGS } from './definition-findings';
import { POLICY_FINDINGS } from './policy-rule';
import { POLICY_EFFECTS, POLICY_HINTS, POLICY_ROLES, SUBJECT_KINDS } from './policy-rule';
import { PrincipalPolicies } from './policy-store';
import { ToolApproval } from './tool-approval.entity';
import { REMOVE_GONE, REMOVE_UNUSED_DEFINITIONS } from './tool-inventory.sql';
import { TOOL_KINDS } from './tool-kinds';
import { ToolOverrideRow } from './tool-override.entity';
import { ToolRulesReader } from './tool-rules-reader';

/**
 * What a bundle says of tools and people: who may use what, which definitions are approved, and what tools are shown as.
 *
 * In come a bundle, a person and the definitions of its servers. Out go the policy for that person (`PrincipalPolicies`), the
 * approvals and overrides (`ToolRulesReader`), and findings about definitions that look odd. The tables of policies, tools,
 * approvals and overrides belong here; `administration/` writes what editors decide into them. Nothing here refuses a call:
 * `compile/` applies the rules.
 */
@Module({
  providers: [PrincipalPolicies, ToolRulesReader],
  exports: [PrincipalPolicies, ToolRulesReader],
})
export class RulesModule {
  static readonly declares = {
    entities: [BundlePolicy, BundleTool, ToolApproval, ApprovedDefinition, ToolOverrideRow],
    enums: {
      BundleToolFindingCode: FINDINGS,
      BundleToolKind: TOOL_KINDS,
      PolicyEffect: POLICY_EFFECTS,
      PolicyFindingCode: POLICY_FINDINGS,
      PolicyHint: POLICY_HINTS,
      PolicyRole: POLICY_ROLES,
      PolicySubjectKind: SUBJECT_KINDS,
    },
  } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring(
      { name: 'tools that no server lists', remove: REMOVE_GONE },
      { name: 'definitions that are not approved any more', remove: REMOVE_UNUSED_DEFINITIONS },
    );
  }
}
