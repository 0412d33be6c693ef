import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, IntegerField, ListField, ObjectField, TextField } from '../../http/requests/fields';
import {
  MAX_PATTERN_LENGTH,
  MAX_RULES,
  POLICY_EFFECTS,
  POLICY_HINTS,
  POLICY_ROLES,
  type PolicyEffect,
  type PolicyHint,
  type PolicyRole,
  type PolicyRule,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../rules/policy-rule';
import { DEFAULT_ACCESS, type DefaultAccess } from '../settings/endpoint-enums';

const EFFECT = '`DENY` wins over any `ALLOW`.';
const KIND =
  '`everyone`; `role`: what someone is to the bundle; `group`: a SCIM group of its organisation; `person`; `token`: an access token of the bundle, which also is what its creator is.';
const ROLE =
  '`BUNDLE_OWNER`, `BUNDLE_EDITOR`: the bundle names them. `ORG_…`: exactly this role in its organisation. `OUTSIDER`: they see it only because it is public.';
const TOOLS =
  'A pattern of names as servers have them, whatever the bundle calls them: `*` stands for any characters, `?` for one. It applies to tools and prompts, to the addresses of resources, and to templates.';
const HINT =
  '`read_only`: only what says that it only reads. `destructive`: only what may destroy something, which is every tool that does not say otherwise. Prompts, resources and templates only read. Null: everything.';
const ENTRY = 'Only what this entry has. Null: all entries.';
const ACCESS =
  'What counts where no rule does. `ALLOW`; `READ_ONLY`: what says that it only reads is allowed, and so are prompts and resources; `DENY`.';
const RULE_LIST = `At most ${MAX_RULES}. Their order decides nothing but which rule a preview names.`;

export class PolicySubjectPut {
  @EnumField(SUBJECT_KINDS, { description: KIND })
  kind: SubjectKind;

  @EnumField(POLICY_ROLES, { required: false, nullable: true, description: `For \`role\`. ${ROLE}` })
  role?: PolicyRole | null;

  @IdField({
    required: false,
    nullable: true,
    description:
      'For `group`, `person` and `token`. A person has to belong to the bundle: as its owner, an editor or a member of its organisation.',
  })
  id?: string | null;
}

export class PolicyRulePut {
  @EnumField(POLICY_EFFECTS, { description: EFFECT })
  effect: PolicyEffect;

  @ObjectField(PolicySubjectPut, {
    required: true,
    description: 'The people and access tokens that the rule applies to.',
  })
  subject: PolicySubjectPut;

  @TextField({
    required: false,
    nullable: true,
    min: 1,
    max: MAX_PATTERN_LENGTH,
    example: 'delete_*',
    description: `${TOOLS} Absent or null: \`*\`.`,
  })
  tools?: string | null;

  @EnumField(POLICY_HINTS, { required: false, nullable: true, description: HINT })
  hint?: PolicyHint | null;

  @IdField({ required: false, nullable: true, description: ENTRY })
  entry_id?: string | null;
}

export class BundlePoliciesPut {
  @ListField(PolicyRulePut, { max: MAX_RULES, description: `All rules. ${RULE_LIST}` })
  rules: PolicyRulePut[];

  @EnumField(DEFAULT_ACCESS, { required: false, nullable: true, description: `${ACCESS} Absent or null: unchanged.` })
  default_access?: DefaultAccess | null;

  @IntegerField({
    required: false,
    nullable: true,
    min: 1,
    description:
      'The version of the bundle that this change is based on. If the bundle is at another version by now, nothing is changed. Default: any version.',
  })
  base_version?: number | null;
}

export class PolicySubjectOut {
  @ApiProperty({ enum: SUBJECT_KINDS, description: KIND })
  kind: SubjectKind;

  @ApiProperty({
    enum: [...POLICY_ROLES, null],
    nullable: true,
    description: `Null unless \`kind\` is \`role\`. ${ROLE}`,
  })
  role: PolicyRole | null;

  @IdField({
    nullable: true,
    description: 'The id of the group, person or access token, which may no longer exist. Null for the other kinds.',
  })
  id: string | null;
}

export class PolicyRuleOut {
  @ApiProperty({ enum: POLICY_EFFECTS, description: EFFECT })
  effect: PolicyEffect;

  @ApiProperty({ type: PolicySubjectOut, description: 'The people and access tokens that the rule applies to.' })
  subject: PolicySubjectOut;

  @ApiProperty({ example: 'delete_*', description: TOOLS })
  tools: string;

  @ApiProperty({ enum: [...POLICY_HINTS, null], nullable: true, description: HINT })
  hint: PolicyHint | null;

  @IdField({ nullable: true, description: `${ENTRY} The entry may be gone by now.` })
  entry_id: string | null;
}

export class BundlePoliciesOut {
  @IdField()
  bundle_id: string;

  @ApiProperty({ type: 'integer', example: 7, description: 'The current version of the bundle.' })
  version: number;

  @ApiProperty({ enum: DEFAULT_ACCESS, description: ACCESS })
  default_access: DefaultAccess;

  @ApiProperty({ type: [PolicyRuleOut], description: RULE_LIST })
  rules: PolicyRuleOut[];
}

export function toPolicyRule({ effect, subject, tools, hint, entryId }: PolicyRule): PolicyRuleOut {
  return {
    effect,
    subject: {
      kind: subject.kind,
      role: subject.kind === 'role' ? subject.role : null,
      id: 'id' in subject ? subject.id : null,
    },
    tools,
    hint,
    entry_id: entryId,
  };
}
