import { many, type Connection } from '../../../database/statements';
import { personName } from '../../../organisations/person-name.sql';
import { NEWEST_ENTRY } from '../../directory/newest-entry.sql';
import { DIRECTORY_EMAIL } from '../../directory/directory-users.sql';
import type { ChangeRow, NamedChangeRow } from './sync-run.dto';

/**
 * Names of some people ($2) and groups ($3) in organisation $1. The own name and address of an account are for
 * organisations that the person has joined, as in `role-explanation.sql.ts`. The subqueries hide the number of ids from
 * the planner.
 */
const NAMES = {
  name: 'names of changes',
  sql: `
  SELECT asked.id, NULL AS group_name,
         CASE WHEN member.user_id IS NOT NULL THEN ${personName()} ELSE entry.display_name END AS name,
         CASE WHEN member.user_id IS NOT NULL THEN users.email ELSE entry.email END AS email
  FROM unnest((SELECT $2::uuid[])) AS asked (id)
  LEFT JOIN users ON users.id = asked.id
  LEFT JOIN memberships AS member ON member.org_id = $1 AND member.user_id = asked.id
  LEFT JOIN LATERAL (
    SELECT COALESCE(display_name, attributes -> 'name' ->> 'formatted') AS display_name, ${DIRECTORY_EMAIL} AS email
    FROM scim_users WHERE org_id = $1 AND user_id = asked.id
    ${NEWEST_ENTRY}
  ) AS entry ON true
  UNION ALL
  SELECT id, display_name, NULL, NULL FROM scim_groups
  WHERE org_id = $1 AND id = ANY ((SELECT $3::uuid[])::uuid[])`,
};

interface NameRow {
  id: string;
  name: string | null;
  email: string | null;
  group_name: string | null;
}

/** @returns the changes with the names of their people and groups, by one statement */
export async function namedChanges(
  connection: Connection,
  orgId: string,
  changes: readonly ChangeRow[],
): Promise<NamedChangeRow[]> {
  if (changes.length === 0) return [];
  const groupIds = new Set(changes.flatMap(({ group_id }) => group_id ?? []));
  const rows = await many<NameRow>(connection, NAMES, [orgId, changes.map(({ id }) => id), [...groupIds]]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return changes.map((change) => ({
    ...change,
    name: byId.get(change.id)?.name ?? null,
    email: byId.get(change.id)?.email ?? null,
    group_name: change.group_id === null ? null : (byId.get(change.group_id)?.group_name ?? null),
  }));
}
