import { isInsider } from '../../bundles/bundle-insider.sql';
import { type Connection, many } from '../../database/statements';
import { type Fault, ValidationError } from '../../errors/errors';
import type { PolicyRule } from '../rules/policy-rule';

/** Something that a rule names. */
export interface RuleReference {
  readonly kind: 'group' | 'person' | 'token' | 'entry';
  readonly id: string;
  /** The place of the rule. */
  readonly place: number;
}

/**
 * $1 bundle, $2 kinds, $3 ids. The numbers, from 1, of those that the bundle does not have. A person who does not belong to it is
 * the same as one who does not exist, so that no one learns of accounts here.
 */
export const GONE_REFERENCES = `
  SELECT asked.number::int AS number
  FROM bundles CROSS JOIN unnest($2::text[], $3::uuid[]) WITH ORDINALITY AS asked(kind, id, number)
  WHERE bundles.id = $1 AND NOT CASE asked.kind
    WHEN 'group' THEN EXISTS (SELECT FROM scim_groups WHERE scim_groups.id = asked.id AND scim_groups.org_id = bundles.org_id)
    WHEN 'person' THEN EXISTS (SELECT FROM users WHERE users.id = asked.id AND users.closed_at IS NULL) AND ${isInsider('asked.id')}
    WHEN 'token' THEN EXISTS (SELECT FROM bundle_access_tokens AS tokens
                              WHERE tokens.id = asked.id AND tokens.bundle_id = bundles.id)
    ELSE EXISTS (SELECT FROM bundle_entries AS entries WHERE entries.id = asked.id AND entries.bundle_id = bundles.id) END
  ORDER BY asked.number`;

/** @returns what rules name that the bundle does not have, in their order */
export async function goneReferences(
  connection: Connection,
  bundleId: string,
  rules: readonly PolicyRule[],
): Promise<RuleReference[]> {
  const named = rules.flatMap(referencesOf);
  if (named.length === 0) return [];
  const values = [bundleId, named.map(({ kind }) => kind), named.map(({ id }) => id)];
  const gone = await many<{ number: number }>(connection, GONE_REFERENCES, values);
  return gone.flatMap(({ number }) => named[number - 1] ?? []);
}

/** @throws ValidationError for a group, a person, a token or an entry that the bundle does not have, with the index of the rule */
export async function requireReferences(
  connection: Connection,
  bundleId: string,
  rules: readonly PolicyRule[],
): Promise<void> {
  const gone = await goneReferences(connection, bundleId, rules);
  if (gone.length > 0) throw new ValidationError(gone.map(faultOf));
}

function referencesOf({ subject, entryId, place }: PolicyRule): RuleReference[] {
  const references: RuleReference[] = [];
  if ('id' in subject) references.push({ kind: subject.kind, id: subject.id, place });
  if (entryId !== null) references.push({ kind: 'entry', id: entryId, place });
  return references;
}

const NOUNS: Readonly<Record<RuleReference['kind'], string>> = {
  group: 'Is not a SCIM group of the organisation of the bundle.',
  person: 'Is not a person who belongs to the bundle.',
  token: 'Is not an access token of the bundle.',
  entry: 'Is not an entry of the bundle.',
};

function faultOf({ kind, place }: RuleReference): Fault {
  const field = kind === 'entry' ? ['entry_id'] : ['subject', 'id'];
  return { loc: ['body', 'rules', String(place), ...field], msg: NOUNS[kind], type: 'value_error' };
}
