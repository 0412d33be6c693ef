import { personName } from '../person-name.sql';

/** The columns by which the log is filtered; each has an index that ends with the id. */
export const AUDIT_FILTERS = ['subject_id', 'action', 'actor_id'] as const;

export type AuditFilter = (typeof AUDIT_FILTERS)[number];

function entriesOf(columns: string, filters: readonly AuditFilter[]): string {
  const conditions = filters.map((column, index) => `AND ${column} = $${index + 5}`).join(' ');
  return `
    SELECT ${columns}
    FROM audit_log WHERE org_id = $1 AND id >= $2 AND id < $3 ${conditions}
    ORDER BY id DESC LIMIT $4`;
}

/**
 * $1 organisation, $2 and $3 ids from (inclusive) and until (exclusive), $4 maximum number of rows. The people are
 * looked up for the page only. Names and addresses of accounts are shown only for current members; other actors can be
 * platform administrators or former members.
 *
 * @param filters columns that equal $5 and the parameters after it
 */
export function listAuditLog(filters: readonly AuditFilter[]): string {
  return `
  SELECT page.*, CASE WHEN users.deleted_at IS NOT NULL THEN 'a deleted account'
              WHEN member.user_id IS NOT NULL THEN ${personName()}
              ELSE scim_tokens.name END AS actor_name,
         CASE WHEN member.user_id IS NOT NULL THEN users.email END AS actor_email,
         CASE WHEN subject.deleted_at IS NOT NULL THEN 'a deleted account'
              WHEN subject_member.user_id IS NOT NULL THEN COALESCE(${personName('subject')}, subject.email)
              END AS subject_name
  FROM (${entriesOf('id, action, actor_type, actor_id, subject_type, subject_id, before, after, reason, details, request_id', filters)}
  ) AS page
  LEFT JOIN users ON actor_type = 'user' AND users.id = actor_id
  LEFT JOIN memberships AS member ON member.org_id = $1 AND member.user_id = users.id
  LEFT JOIN scim_tokens ON actor_type = 'scim_token' AND scim_tokens.id = actor_id AND scim_tokens.org_id = $1
  LEFT JOIN users AS subject ON subject_type = 'member' AND subject.id = subject_id
  LEFT JOIN memberships AS subject_member ON subject_member.org_id = $1 AND subject_member.user_id = subject.id
  ORDER BY page.id DESC`;
}

/**
 * Where a file ends, from the index alone. $1 to $3 as above, $4 how many more entries it may have, and one. `oldest` is the
 * last that it has, null if there is none; `is_cut` says whether there are older ones.
 */
export function endOfAuditFile(filters: readonly AuditFilter[]): string {
  return `
  WITH placed AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM (${entriesOf('id', filters)}) AS entry)
  SELECT (SELECT id FROM placed WHERE place < $4 ORDER BY place DESC LIMIT 1) AS oldest,
         EXISTS (SELECT FROM placed WHERE place = $4) AS is_cut`;
}
