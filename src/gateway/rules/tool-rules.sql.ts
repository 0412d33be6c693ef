import type { PreparedStatement } from '../../database/prepared';

/**
 * Which rows of a table with `from_version` and `until_version` hold.
 *
 * @param table its name in the statement
 * @param version SQL: the number of a version of the bundle; null: now
 */
export function holdsAt(table: string, version: string): string {
  return `(CASE WHEN ${version}::int IS NULL THEN ${table}.until_version IS NULL
    ELSE ${table}.from_version <= ${version}::int AND (${table}.until_version IS NULL OR ${table}.until_version > ${version}::int) END)`;
}

/** $1 bundle, $2 the number of a version or null. Only what differs from the default of an entry without one. */
export const PINNINGS_OF: PreparedStatement = {
  name: 'gateway_pinnings',
  sql: `
  SELECT id AS entry_id, pinning FROM bundle_entries WHERE bundle_id = $1 AND $2::int IS NULL
  UNION ALL
  SELECT recorded.id, recorded.pinning
  FROM bundle_versions CROSS JOIN LATERAL jsonb_to_recordset(bundle_versions.entries) AS recorded(id uuid, pinning text)
  WHERE bundle_versions.bundle_id = $1 AND bundle_versions.number = $2::int AND recorded.pinning IS NOT NULL`,
};

/** $1 bundle, $2 the number of a version or null. Of each tool, in the order in which they were approved. */
export const APPROVALS = `
  SELECT entry_id, kind, name, encode(digest, 'hex') AS digest, encode(shown_digest, 'hex') AS shown FROM tool_approvals AS approvals
  WHERE bundle_id = $1 AND ${holdsAt('approvals', '$2')}
  ORDER BY approved_at, digest`;

/** $1 bundle, $2 the number of a version or null. */
export const OVERRIDES = `
  SELECT entry_id, kind, name, is_enabled, exposed_name, title, description, annotations, fixed_arguments
  FROM tool_overrides AS overrides
  WHERE bundle_id = $1 AND ${holdsAt('overrides', '$2')}`;

/** $1 bundle, $2 digests, $3 how many bytes at most: those that fit. The length of a long text is known without reading it. */
export const BODIES = `
  SELECT encode(sized.digest, 'hex') AS digest, known.body
  FROM (SELECT digest, sum(octet_length(body)) OVER (ORDER BY digest) AS bytes
        FROM approved_definitions WHERE bundle_id = $1 AND digest = ANY ($2::bytea[])) AS sized
  JOIN approved_definitions AS known ON known.bundle_id = $1 AND known.digest = sized.digest
  WHERE sized.bytes <= $3`;
