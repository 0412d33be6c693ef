import type { CompiledBundle, ExposedDefinition } from '../compile/compiled-bundle';
import { inTurns } from '../rules/allowed';
import { type PolicyItem, ruleMatcher } from '../rules/policy';
import type { PolicyFindingCode, PolicyRule } from '../rules/policy-rule';
import type { RuleReference } from './rule-references';

/** Something about a rule that probably was not meant so. */
export interface PolicyFinding {
  /** Its place, from 0. */
  rule: number;
  code: PolicyFindingCode;
  detail: string;
}

/**
 * What is wrong with the rules of a bundle: those that are about nothing or about no one. Other requests get turns.
 *
 * @param bundle compiled without rules
 * @param gone what rules name that the bundle does not have
 */
export async function policyFindings(
  { tools, prompts, resources, templates }: CompiledBundle,
  rules: readonly PolicyRule[],
  gone: readonly RuleReference[],
): Promise<PolicyFinding[]> {
  const offers: ExposedDefinition[] = [tools, prompts, resources, templates].flatMap((each) => [...each.values()]);
  const items = offers.map(({ entry, name, hints }): PolicyItem => ({ entryId: entry.id, name, ...hints }));
  const findings = gone.map(({ kind, place }) => goneFinding(kind, place));
  const withoutEntry = new Set(gone.filter(({ kind }) => kind === 'entry').map(({ place }) => place));
  for await (const rule of inTurns(rules)) {
    if (withoutEntry.has(rule.place) || items.some(ruleMatcher(rule))) continue;
    const detail = `Nothing that the bundle has now fits ${JSON.stringify(rule.tools)}${conditionsOf(rule)}.`;
    findings.push({ rule: rule.place, code: 'NO_MATCH', detail });
  }
  return findings.sort((one, other) => one.rule - other.rule);
}

function conditionsOf({ hint, entryId }: PolicyRule): string {
  return `${hint === null ? '' : ` with the hint ${hint}`}${entryId === null ? '' : ' at its entry'}`;
}

function goneFinding(kind: RuleReference['kind'], rule: number): PolicyFinding {
  if (kind === 'entry') return { rule, code: 'NO_ENTRY', detail: 'The entry that it names is not in the bundle.' };
  const nouns = { group: 'SCIM group', person: 'person', token: 'access token' } as const;
  return { rule, code: 'NO_SUBJECT', detail: `The ${nouns[kind]} that it names is gone, so it is about nobody.` };
}
