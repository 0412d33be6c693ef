import type { EntityManager } from 'typeorm';
import { execute, maybe } from '../../database/statements';
import type { EndpointPresentation, DefaultAccess } from '../settings/endpoint-enums';
import type { PolicyRuleOut } from './policy.dto';

/** What a version of a bundle keeps of its policies, as JSON. */
export interface PolicySnapshot {
  default_access: DefaultAccess;
  presentation: EndpointPresentation;
  rules: PolicyRuleOut[];
}

/** $1 bundle, $2 the number of a version. */
const AT = `
  SELECT kept FROM bundle_policy_versions WHERE bundle_id = $1 AND number <= $2 ORDER BY number DESC LIMIT 1`;

/** $1 bundle, $2 the number of the version, $3 what it keeps. */
const KEEP = `INSERT INTO bundle_policy_versions (bundle_id, number, kept) VALUES ($1, $2, $3::jsonb)`;

/** @returns the policies of a bundle as a version of it had them; undefined if no one had changed them by then */
export async function policiesAt(
  manager: EntityManager,
  bundleId: string,
  number: number,
): Promise<PolicySnapshot | undefined> {
  return (await maybe<{ kept: PolicySnapshot }>(manager, AT, [bundleId, number]))?.kept;
}

/** @param number of the version that has changed them */
export async function keepPolicies(
  manager: EntityManager,
  bundleId: string,
  number: number,
  kept: PolicySnapshot,
): Promise<void> {
  await execute(manager, KEEP, [bundleId, number, JSON.stringify(kept)]);
}

/** @returns whether both say the same */
export function samePolicies(one: PolicySnapshot, other: PolicySnapshot): boolean {
  return textOf(one) === textOf(other);
}

/** Whether what has changed only takes something away: such a change is possible however many versions there are. */
export function isStricter(before: PolicySnapshot, after: PolicySnapshot): boolean {
  const [old, now] = [textsOf(before.rules), textsOf(after.rules)];
  const ranks: Readonly<Record<DefaultAccess, number>> = { ALLOW: 0, READ_ONLY: 1, DENY: 2 };
  return (
    before.presentation === after.presentation &&
    ranks[after.default_access] >= ranks[before.default_access] &&
    before.rules.every((rule) => rule.effect === 'ALLOW' || now.has(ruleText(rule))) &&
    after.rules.every((rule) => rule.effect === 'DENY' || old.has(ruleText(rule)))
  );
}

function textOf({ default_access, presentation, rules }: PolicySnapshot): string {
  return JSON.stringify([default_access, presentation, rules.map(ruleText)]);
}

function textsOf(rules: readonly PolicyRuleOut[]): ReadonlySet<string> {
  return new Set(rules.map(ruleText));
}

/** The members of JSON that was stored come back in another order. */
function ruleText({ effect, subject, tools, hint, entry_id }: PolicyRuleOut): string {
  return JSON.stringify([effect, subject.kind, subject.role, subject.id, tools, hint, entry_id]);
}
