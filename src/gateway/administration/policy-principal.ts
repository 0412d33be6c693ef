import { isInsider, rolesIn } from '../../bundles/bundle-insider.sql';
import { type Connection, many, maybe } from '../../database/statements';
import { isUsableBy, MEANT_VERSIONS, servedEntries } from '../entries/visible-entries.sql';
import { groupsOf } from '../rules/matching-rules.sql';
import { POLICY_ROLES, type PolicyRole, type PolicySubject } from '../rules/policy-rule';

/** What someone is to a bundle, as far as rules ask. */
export interface PolicyPrincipal {
  /** Null for a role without a person. */
  readonly personId: string | null;
  readonly tokenId: string | null;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
}

/** $1 bundle, $2 person. No row for a person who does not belong to it. */
export const FIND_PERSON = `
  SELECT people.id AS person_id, ${rolesIn('people.id')} AS roles, ARRAY(${groupsOf('people.id')}) AS groups
  FROM bundles JOIN users AS people ON people.id = $2 AND people.closed_at IS NULL
  WHERE bundles.id = $1 AND ${isInsider('people.id')}`;

/** $1 bundle, $2 access token. */
export const FIND_CREATOR = `SELECT created_by FROM bundle_access_tokens WHERE id = $2 AND bundle_id = $1`;

/** $1 bundle, $2 person. The entries whose listings they may see. */
export const USABLE_ENTRIES = `
  SELECT entries.id FROM ${servedEntries('$1', 'NULL::int')} ${MEANT_VERSIONS} WHERE ${isUsableBy('$2')}`;

interface PersonRow {
  person_id: string;
  roles: string[];
  groups: string[];
}

/** @returns what a person is to a bundle; undefined if they do not belong to it */
export async function findPerson(
  connection: Connection,
  bundleId: string,
  id: string,
  tokenId: string | null = null,
): Promise<PolicyPrincipal | undefined> {
  const row = await maybe<PersonRow>(connection, FIND_PERSON, [bundleId, id]);
  return row && { personId: row.person_id, tokenId, roles: row.roles, groups: row.groups };
}

/** @returns what an access token is to its bundle; undefined if the bundle does not have it, or its creator has left */
export async function findToken(
  connection: Connection,
  bundleId: string,
  id: string,
): Promise<PolicyPrincipal | undefined> {
  const row = await maybe<{ created_by: string }>(connection, FIND_CREATOR, [bundleId, id]);
  return row && findPerson(connection, bundleId, row.created_by, id);
}

/** @returns someone with this role and nothing else; undefined if it does not exist */
export function findRole(name: string): PolicyPrincipal | undefined {
  const role = POLICY_ROLES.find((known): known is PolicyRole => known === name);
  return role && { personId: null, tokenId: null, roles: [role], groups: [] };
}

/** @returns the entries whose listings a person may see */
export async function usableEntries(
  connection: Connection,
  bundleId: string,
  personId: string,
): Promise<ReadonlySet<string>> {
  const rows = await many<{ id: string }>(connection, USABLE_ENTRIES, [bundleId, personId]);
  return new Set(rows.map(({ id }) => id));
}

/** @returns whether a rule with this subject is about them: the same that `isAboutPrincipal` decides in SQL */
export function isAbout(subject: PolicySubject, { personId, tokenId, roles, groups }: PolicyPrincipal): boolean {
  switch (subject.kind) {
    case 'everyone':
      return true;
    case 'role':
      return roles.includes(subject.role);
    case 'group':
      return groups.includes(subject.id);
    case 'person':
      return subject.id === personId;
    case 'token':
      return subject.id === tokenId;
  }
}
