import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../../http/requests/fields';
import type { ProblemCode } from '../compile/compiled-bundle';
import { POLICY_FINDINGS, type PolicyFindingCode } from '../rules/policy-rule';
import { CREDENTIAL_STATES, type CredentialState } from '../credentials/entry-credential';
import { ENDPOINT_NAMINGS, type EndpointNaming } from '../settings/endpoint-enums';

/**
 * What can be said of an entry. `READY`: its lists were read. `WAITING`: not yet. `FAILING`: they could not be read the
 * last time; those of the time before count. `OUT_OF_REACH`: it has no server that could be asked from here.
 * `UNAVAILABLE`: its listing is gone, or the caller may not see it.
 */
export const ENDPOINT_ENTRY_STATES = ['READY', 'WAITING', 'FAILING', 'OUT_OF_REACH', 'UNAVAILABLE'] as const;
export type EndpointEntryState = (typeof ENDPOINT_ENTRY_STATES)[number];

/** All of them, which the compiler checks. */
const PROBLEMS: Readonly<Record<ProblemCode, true>> = {
  unavailable: true,
  no_remote: true,
  unsupported_transport: true,
  missing_values: true,
  credential_missing: true,
  credential_reconnect: true,
  credential_origin_changed: true,
  invalid_server: true,
  endpoint_url_kept: true,
  not_listed: true,
  list_failed: true,
  left_out: true,
  list_cut: true,
  nothing_listed: true,
  other_era_only: true,
  definition_mended: true,
  name_clash: true,
  name_reserved: true,
  uri_taken: true,
  too_many_tools: true,
  legacy_only: true,
  definition_changed: true,
  not_approved: true,
  name_not_possible: true,
  fixed_argument_gone: true,
  invisible_characters: true,
  oversized_description: true,
  names_other_tools: true,
};
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** Longer lists of problems are cut. */
export const MAX_PROBLEMS = 1_000;

const ERA = 'Empty: it does not speak any. Null: not known.';

export class EndpointEntryOut {
  @IdField()
  entry_id: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The key of the entry. Null if you may not see it.' })
  key: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'weather',
    description:
      'What precedes the names of its tools and prompts with `PREFIX`: 1–16 characters `[a-z0-9-]`, unique in the bundle, unchanged as long as the bundle exists. Before the endpoint is first used, the alias that it would get.',
  })
  alias: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'io.github.acme/weather' })
  listing_name: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: '1.2.0' })
  listing_version: string | null;

  @ApiProperty({
    enum: ENDPOINT_ENTRY_STATES,
    description:
      '`READY`: its lists were read. `WAITING`: not yet. `FAILING`: they could not be read the last time, so those of the time before count. `OUT_OF_REACH`: it has no server that could be asked from here. `UNAVAILABLE`: its listing was archived or deleted, or you may not see it.',
  })
  state: EndpointEntryState;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it is not `READY`, for people.' })
  reason: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: '2026-07-28',
    description: `The revision of MCP without sessions that its server speaks. ${ERA}`,
  })
  modern_revision: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: '2025-11-25',
    description: `The revision of MCP with sessions that its server speaks. ${ERA}`,
  })
  legacy_revision: string | null;

  @ApiProperty({
    enum: CREDENTIAL_STATES,
    nullable: true,
    description: 'Whether its server can be sent a credential for you; see `credential-needs`. Null: it uses none.',
  })
  credential_state: CredentialState | null;

  @InstantField({ nullable: true, description: 'When its lists were last read. Null: never.' })
  listed_at: string | null;

  @ApiProperty({
    type: 'integer',
    description:
      'For how many more seconds calls fail at once, because five in a row could not reach its server; in the process that answered. 0: they do not.',
  })
  paused_for: number;

  @ApiProperty({ type: 'integer', description: 'How many of its tools are offered.' })
  tool_count: number;

  @ApiProperty({ type: 'integer' })
  prompt_count: number;

  @ApiProperty({ type: 'integer' })
  resource_count: number;

  @ApiProperty({ type: 'integer', description: 'Templates of resources.' })
  template_count: number;
}

export class EndpointStatusOut {
  @IdField()
  bundle_id: string;

  @ApiProperty({ description: 'Whether MCP clients are served.' })
  is_enabled: boolean;

  @ApiProperty({ type: [EndpointEntryOut], description: 'The enabled entries, in their order.' })
  entries: EndpointEntryOut[];
}

/** A tool or a prompt that is offered. */
export class EndpointNameOut {
  @ApiProperty({ example: 'weather__get_forecast', description: 'As MCP clients see it.' })
  name: string;

  @IdField()
  entry_id: string;

  @ApiProperty({ example: 'get_forecast', description: 'As its server calls it.' })
  upstream_name: string;
}

export class EndpointProblemOut {
  @ApiProperty({ enum: PROBLEM_CODES })
  code: ProblemCode;

  @IdField({ description: 'The entry that it is about.' })
  entry_id: string;

  @IdField({ nullable: true, description: 'The other entry of a clash.' })
  other_entry_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The name, address or template that it is about.',
  })
  subject: string | null;

  @ApiProperty({ description: 'For people; its wording may change.' })
  detail: string;
}

/** Something about a rule that probably was not meant so. */
export class PolicyFindingOut {
  @ApiProperty({ type: 'integer', description: 'The index of the rule, from 0.' })
  rule: number;

  @ApiProperty({
    enum: POLICY_FINDINGS,
    description:
      '`NO_MATCH`: nothing that the bundle has now fits its pattern, its hint and its entry, as far as you may see it. `NO_SUBJECT`: the group, person or token that it names is gone. `NO_ENTRY`: the entry that it names is gone.',
  })
  code: PolicyFindingCode;

  @ApiProperty({ description: 'For people; its wording may change.' })
  detail: string;
}

export class EndpointReportOut extends EndpointStatusOut {
  @ApiProperty({ type: 'integer', example: 7, description: 'The version of the bundle.' })
  version: number;

  @ApiProperty({ enum: ENDPOINT_NAMINGS })
  naming: EndpointNaming;

  @ApiProperty({ type: 'integer' })
  name_budget: number;

  @ApiProperty({ type: [EndpointNameOut], description: 'In the order in which clients get them; at most 5,000.' })
  tools: EndpointNameOut[];

  @ApiProperty({ type: [EndpointNameOut] })
  prompts: EndpointNameOut[];

  @ApiProperty({
    type: [EndpointProblemOut],
    description: `At most ${MAX_PROBLEMS}. Of one kind at one entry the first ones, followed by how many more there are.`,
  })
  problems: EndpointProblemOut[];

  @ApiProperty({
    type: 'integer',
    description: 'How many problems there are, also those that are left out of the list.',
  })
  problem_count: number;

  @ApiProperty({ type: [PolicyFindingOut], description: 'What is wrong with rules of the bundle, in their order.' })
  policy_findings: PolicyFindingOut[];

  @ApiProperty({
    type: 'integer',
    description: 'How large the list of tools is that clients get, as JSON; of the search tools where they search.',
  })
  tools_bytes: number;

  @ApiProperty({
    type: 'integer',
    description: 'About how many tokens of a model that list takes: a quarter of its bytes.',
  })
  tools_tokens: number;
}
