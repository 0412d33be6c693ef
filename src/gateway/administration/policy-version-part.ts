import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { BundleRow } from '../../bundles/bundle.dto';
import type { PartComparison, RestoredEntries, VersionPart } from '../../bundles/versions/version-parts';
import { causeOfMember } from '../../organisations/audit/cause';
import type { PolicyRuleOut } from './policy.dto';
import { PolicyChanges } from './policy-changes';
import type { PolicyRule, PolicySubject } from '../rules/policy-rule';
import { type PolicySnapshot, policiesAt, samePolicies } from './policy-versions';

/** The policies of bundles, as their versions keep them. */
@Injectable()
export class PolicyVersionPart implements VersionPart {
  readonly name = 'policies';

  constructor(private readonly changes: PolicyChanges) {}

  /**
   * A version from before anyone had set policies says nothing of them, so they stay: bringing back entries must not open a
   * bundle. What a rule names need not exist any more; then it is about no one.
   */
  async restore(
    manager: EntityManager,
    { userId }: Caller,
    bundle: BundleRow,
    { number, ids }: RestoredEntries,
  ): Promise<boolean> {
    const kept = await policiesAt(manager, bundle.id, number);
    if (!kept) return false;
    const before = await this.changes.read(manager, bundle.id);
    const rules = kept.rules.map((rule, place) => restoredRule(rule, place, ids));
    const cause = causeOfMember({ userId, requestId: null });
    const written = await this.changes.write(manager, cause, bundle, before, { ...kept, rules });
    return written !== undefined;
  }

  /** For who belongs to the bundle: rules name people and groups. */
  async compare(
    manager: EntityManager,
    _caller: Caller,
    { id, is_insider }: BundleRow,
    from: number,
    to: number,
  ): Promise<PartComparison> {
    if (!is_insider) return null;
    const [before, after] = [await policiesAt(manager, id, from), await policiesAt(manager, id, to)];
    if (before === after || (before && after && samePolicies(before, after))) return null;
    return { before: shown(before), after: shown(after) };
  }
}

function shown(kept: PolicySnapshot | undefined): PolicySnapshot | null {
  return kept ?? null;
}

function restoredRule(
  { effect, subject, tools, hint, entry_id }: PolicyRuleOut,
  place: number,
  ids: ReadonlyMap<string, string>,
): PolicyRule {
  const entryId = entry_id === null ? null : (ids.get(entry_id) ?? entry_id);
  return { place, effect, subject: subjectOf(subject), tools, hint, entryId };
}

function subjectOf({ kind, role, id }: PolicyRuleOut['subject']): PolicySubject {
  if (kind === 'everyone') return { kind };
  if (kind === 'role' && role !== null) return { kind, role };
  if (kind !== 'role' && id !== null) return { kind, id };
  throw new Error(`A version keeps a rule about a ${kind} that has none.`);
}
