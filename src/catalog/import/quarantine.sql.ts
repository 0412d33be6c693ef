/** `$1`: the source; `$2`: digests. `server` is null for one that was dismissed. */
export const DECIDED_DOCUMENTS = `
  SELECT digest, server FROM import_quarantine WHERE source = $1 AND digest = ANY ($2::bytea[]) AND state <> 'OPEN'`;

/** `$1`: the source; `$2` and `$3`: names and versions. Returns those that an administrator has edited. */
export const EDITED_VERSIONS = `
  SELECT name, version FROM unnest($2::text[], $3::text[]) AS incoming (name, version)
  WHERE EXISTS (
    SELECT FROM import_quarantine AS kept
    WHERE kept.source = $1 AND kept.state = 'EDITED' AND kept.server ->> 'name' = incoming.name
      AND kept.server ->> 'version' = incoming.version)`;

const COLUMNS = `quarantined.id, source, digest, quarantined.name, version, kind, state, reasons, quarantined.created_at,
  decided_by, decided_at`;

/** What is not shown of a document in an answer about one of them: more than a page of our own lists has. */
export const MAX_SHOWN_BYTES = 1_048_576;

/**
 * One page, newest first. $1 state, $2 and $3 the time and digest of the last row of the previous page, $4 how many, $5
 * whether the documents are read.
 *
 * @param filters columns that equal $6, and $7 if there are two
 */
export function listQuarantine(filters: readonly ('kind' | 'source')[]): string {
  return `
  SELECT ${COLUMNS}, CASE WHEN $5::boolean THEN document END AS document
  FROM import_quarantine AS quarantined
  WHERE state = $1 AND ($2::timestamptz IS NULL OR (created_at, digest) < ($2, decode($3, 'hex')))
    ${filters.map((column, index) => `AND ${column} = $${index + 6}`).join(' ')}
  ORDER BY created_at DESC, digest DESC LIMIT $4`;
}

/** `$1`: the id; `$2`: the size in bytes up to which the document is read. */
export const READ_QUARANTINED = `
  SELECT ${COLUMNS}, server, octet_length(document::text) AS bytes,
         CASE WHEN octet_length(document::text) <= $2 THEN document END AS document,
         CASE WHEN person.deleted_at IS NULL THEN person.name ELSE 'a deleted account' END AS decided_by_name,
         taken.id AS taken_id, taken.title AS taken_title, taken.import_source AS taken_source
  FROM import_quarantine AS quarantined
  LEFT JOIN users AS person ON person.id = decided_by
  LEFT JOIN LATERAL (
    SELECT id, title, import_source FROM listings
    WHERE lower(listings.name COLLATE "C") = lower(quarantined.name COLLATE "C")
      AND visibility = 'PUBLIC' AND status <> 'DRAFT' LIMIT 1) AS taken ON true
  WHERE quarantined.id = $1`;

/** `$1`: the id. Whatever the size of the document: it is imported, and not shown. */
export const LOCK_QUARANTINED = `
  SELECT ${COLUMNS}, server, document FROM import_quarantine AS quarantined WHERE id = $1 FOR UPDATE`;

/** `$1`: the id; `$2`: the state; `$3`: the edited document; `$4`: the administrator; `$5`: now. */
export const DECIDE = `
  UPDATE import_quarantine SET state = $2, server = $3, decided_by = $4, decided_at = $5 WHERE id = $1`;

/** `$1`: the id; `$2`: the reasons; `$3`: the kind. */
export const CHANGE_REASONS = `UPDATE import_quarantine SET reasons = $2, kind = $3 WHERE id = $1`;

/** How many documents are to be looked at, by kind. */
export const COUNT_KINDS = `
  SELECT kind, count(*)::int AS documents FROM import_quarantine WHERE state = 'OPEN' GROUP BY kind ORDER BY kind`;

/**
 * `$1`: how many. The sources, with what is in quarantine. One is running while a process holds its lock: the row of a run of a
 * process that was killed says so until the next one.
 */
export const LIST_SOURCES = `
  SELECT address, next_run_at, changed_until,
         EXISTS (
           SELECT FROM pg_locks
           WHERE locktype = 'advisory' AND granted AND objsubid = 1
             AND (classid::bigint << 32) | objid::bigint = hashtextextended('import ' || address, 0)
         ) AS is_running,
         (SELECT seen FROM import_runs
          WHERE import_runs.source = address AND status = 'finished' AND mode = 'whole'
          ORDER BY id DESC LIMIT 1) AS whole_seen,
         (SELECT count(*)::int FROM import_quarantine AS kept WHERE kept.source = address AND state = 'OPEN') AS open,
         (SELECT count(*)::int FROM import_quarantine AS kept WHERE kept.source = address AND state = 'EDITED') AS edited,
         (SELECT count(*)::int FROM import_quarantine AS kept WHERE kept.source = address AND state = 'DISMISSED') AS dismissed
  FROM import_sources ORDER BY address LIMIT $1`;

/** `$1`: the public name in lower case. The listing that an import has created or changed. */
export const FIND_IMPORTED = `
  SELECT id FROM listings WHERE lower(name COLLATE "C") = $1 AND import_source = $2`;
