import { type EntityManager, LessThanOrEqual } from 'typeorm';
import type { EndpointPresentation, DefaultAccess } from '../settings/endpoint-enums';
import { BundlePolicyVersion } from './bundle-policy-version.entity';
import type { PolicyRuleOut } from './policy.dto';

/** What a version of a bundle keeps of its policies, as JSON. */
export interface PolicySnapshot {
  default_access: DefaultAccess;
  presentation: EndpointPresentation;
  rules: PolicyRuleOut[];
}

/** @returns the policies of a bundle as a version of it had them; undefined if no one had changed them by then */
export async function policiesAt(
  manager: EntityManager,
  bundleId: string,
  number: number,
): Promise<PolicySnapshot | undefined> {
  const changed = await manager
    .getRepository(BundlePolicyVersion)
    .findOne({ where: { bundleId, number: LessThanOrEqual(number) }, order: { number: 'DESC' } });
  return changed?.kept;
}

/** @param number of the version that has changed them */
export async function keepPolicies(
  manager: EntityManager,
  bundleId: string,
  number: number,
  kept: PolicySnapshot,
): Promise<void> {
  await manager.getRepository(BundlePolicyVersion).insert({ bundleId, number, kept });
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
