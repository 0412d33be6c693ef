import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Columns } from '../../database/columns';
import { type Connection, execute, many } from '../../database/statements';
import type { PreparedStatement } from '../../database/prepared';
import type { BundlePolicy } from './bundle-policy.entity';
import { isAboutPrincipal } from './matching-rules.sql';
import { Policy } from './policy';
import type { PolicyRule, PolicySubject } from './policy-rule';
import type { DefaultAccess } from '../settings/endpoint-enums';

type RuleRow = Pick<
  Columns<BundlePolicy>,
  'place' | 'effect' | 'subject_kind' | 'subject_role' | 'subject_id' | 'tools' | 'hint' | 'entry_id'
>;
const SELECTED = `rules.place, rules.effect, rules.subject_kind, rules.subject_role, rules.subject_id, rules.tools, rules.hint,
  rules.entry_id`;

/** $1 bundle, $2 person, $3 access token or null. A row without a rule if none is about them. */
export const RULES_OF_PRINCIPAL: PreparedStatement = {
  name: 'mcp policy',
  sql: `
  SELECT endpoints.default_access, endpoints.stamp::text AS stamp, ${SELECTED}
  FROM bundles
  JOIN bundle_endpoints AS endpoints ON endpoints.bundle_id = bundles.id
  LEFT JOIN bundle_policies AS rules ON ${isAboutPrincipal('$2', '$3::uuid')}
  WHERE bundles.id = $1
  ORDER BY rules.place`,
};

/** $1 bundle. */
const READ = `SELECT ${SELECTED} FROM bundle_policies AS rules WHERE rules.bundle_id = $1 ORDER BY rules.place`;
const REMOVE = `DELETE FROM bundle_policies WHERE bundle_id = $1`;

/** $1 bundle, $2 rules as JSON. */
const WRITE = `
  INSERT INTO bundle_policies (bundle_id, place, effect, subject_kind, subject_role, subject_id, tools, hint, entry_id)
  SELECT $1, ${SELECTED}
  FROM jsonb_to_recordset($2::jsonb) AS rules(place integer, effect text, subject_kind text, subject_role text,
                                              subject_id uuid, tools text, hint text, entry_id uuid)`;

/** For whom a policy is read. */
interface Principal {
  readonly bundleId: string;
  readonly personId: string;
  readonly tokenId: string | null;
}

/** What a principal may use, and what that was read from. */
export interface PrincipalPolicy {
  readonly policy: Policy;
  /** `policyDigest` of what it was read from. */
  readonly digest: string;
}

/** The settings of an endpoint, and one of the rules about a principal. */
type PolicyRow = (RuleRow | NoRule) & { default_access: DefaultAccess; stamp: string };
type NoRule = { [column in keyof RuleRow]: null };

/** Reads what principals may use. */
@Injectable()
export class PrincipalPolicies {
  constructor(private readonly dataSource: DataSource) {}

  /** The default access and the rules are of the same moment: those of two could allow what neither allows. */
  async of({ bundleId, personId, tokenId }: Principal): Promise<PrincipalPolicy> {
    const rows = await many<PolicyRow>(this.dataSource, RULES_OF_PRINCIPAL, [bundleId, personId, tokenId]);
    const [first] = rows;
    // The bundle was deleted since they were admitted.
    if (!first) return { policy: new Policy('DENY', []), digest: '' };
    const rules = rows.filter(hasRule).map(toRule);
    const places = rules.map(({ place }) => place).join(',');
    return { policy: new Policy(first.default_access, rules), digest: policyDigest(first.stamp, places) };
  }
}

/**
 * Identifies what a principal may use: two principals of a bundle have the same digest only if they may use the same.
 *
 * @param stamp of the settings of the endpoint, which every change of the rules raises
 * @param places as `matchingRules` gives them
 */
export function policyDigest(stamp: string, places: string | null): string {
  return `${stamp} ${places ?? ''}`;
}

/** @returns the rules of a bundle, in their order */
export async function readRules(connection: Connection, bundleId: string): Promise<PolicyRule[]> {
  return (await many<RuleRow>(connection, READ, [bundleId])).map(toRule);
}

/** Makes these the rules of a bundle. @param manager of a transaction that has locked the bundle */
export async function writeRules(
  manager: EntityManager,
  bundleId: string,
  rules: readonly PolicyRule[],
): Promise<void> {
  await execute(manager, REMOVE, [bundleId]);
  if (rules.length > 0) await execute(manager, WRITE, [bundleId, JSON.stringify(rules.map(toRow))]);
}

function hasRule(row: PolicyRow): row is PolicyRow & RuleRow {
  return row.effect !== null;
}

function toRule(row: RuleRow): PolicyRule {
  const { place, effect, tools, hint, entry_id: entryId } = row;
  return { place, effect, subject: subjectOf(row), tools, hint, entryId };
}

function subjectOf({ subject_kind: kind, subject_role: role, subject_id: id }: RuleRow): PolicySubject {
  if (kind === 'everyone') return { kind };
  if (kind === 'role') {
    if (role === null) throw new Error('A rule about a role has none.');
    return { kind, role };
  }
  if (id === null) throw new Error(`A rule about a ${kind} has none.`);
  return { kind, id };
}

function toRow({ effect, subject, tools, hint, entryId }: PolicyRule, place: number): RuleRow {
  return {
    place,
    effect,
    subject_kind: subject.kind,
    subject_role: subject.kind === 'role' ? subject.role : null,
    subject_id: 'id' in subject ? subject.id : null,
    tools,
    hint,
    entry_id: entryId,
  };
}
