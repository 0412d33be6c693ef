import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, ListField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { DefinitionKind } from '../protocol/definition-list';
import { PolicyRulePut } from './policy.dto';
import { MAX_RULES } from '../rules/policy-rule';
import { DEFAULT_ACCESS, type DefaultAccess } from '../settings/endpoint-enums';

/** In whose place a preview looks. */
export const PREVIEWED_KINDS = ['person', 'role', 'token'] as const;
export type PreviewedKind = (typeof PREVIEWED_KINDS)[number];

/** What decides. `LISTING`: they may not see the listing of the entry, whatever rules say. */
export const DECISION_REASONS = ['RULE', 'DEFAULT', 'LISTING'] as const;
export type DecisionReason = (typeof DECISION_REASONS)[number];

/** In the order of a preview. */
export const PREVIEWED_ITEMS = ['tool', 'prompt', 'resource', 'template'] as const satisfies readonly DefinitionKind[];

const AS = 'In whose place: a person who belongs to the bundle, an access token of it, or a role without any group.';
const ID = 'The id of the person or the token; for `role` its name, such as `ORG_MEMBER`.';

export class EndpointPreviewQuery extends PageQuery {
  @EnumField(PREVIEWED_KINDS, { required: false, description: `${AS} Required without a cursor.` })
  as?: PreviewedKind;

  @TextField({ required: false, min: 1, max: 64, description: `${ID} Required without a cursor.` })
  id?: string;
}

export class BundlePoliciesPreview {
  @ListField(PolicyRulePut, {
    max: MAX_RULES,
    description: 'The rules as they would be, instead of those that there are.',
  })
  rules: PolicyRulePut[];

  @EnumField(DEFAULT_ACCESS, {
    required: false,
    nullable: true,
    description: 'The default access as it would be. Absent or null: as it is.',
  })
  default_access?: DefaultAccess | null;

  @EnumField(PREVIEWED_KINDS, { description: AS })
  as: PreviewedKind;

  @TextField({ min: 1, max: 64, description: ID })
  id: string;
}

export class PolicyDecisionOut {
  @ApiProperty({ enum: PREVIEWED_ITEMS })
  kind: DefinitionKind;

  @ApiProperty({
    example: 'github__delete_repo',
    description: 'As MCP clients see it: a name, an address or a template.',
  })
  name: string;

  @IdField()
  entry_id: string;

  @ApiProperty({ example: 'delete_repo', description: 'As its server calls it, which is what rules go by.' })
  upstream_name: string;

  @ApiProperty()
  is_allowed: boolean;

  @ApiProperty({
    enum: DECISION_REASONS,
    description:
      '`RULE`: the rule with the index `rule`. `DEFAULT`: no rule says anything, so the default access counts. `LISTING`: they may not see the listing of the entry.',
  })
  reason: DecisionReason;

  @ApiProperty({ type: 'integer', nullable: true, example: 2, description: 'The index of the rule, from 0.' })
  rule: number | null;
}

export class PolicyPreviewOut {
  @IdField()
  bundle_id: string;

  @ApiProperty({ type: 'integer', description: 'How many tools they may use.' })
  allowed_tool_count: number;

  @ApiProperty({ type: 'integer', description: 'How many tools of the bundle they may not use.' })
  denied_tool_count: number;

  @ApiProperty({ type: [PolicyDecisionOut], description: 'Tools, then prompts, resources and templates.' })
  decisions: PolicyDecisionOut[];
}
