/** $1 upstream: what it lists has changed. In order, because others note several entries of a bundle at once. */
export const MAKE_TOOLS_DUE = `
  WITH uses AS (
    SELECT bundle_id, entry_id FROM endpoint_upstreams WHERE upstream_id = $1 AND NOT is_tools_due
    ORDER BY bundle_id, entry_id FOR NO KEY UPDATE
  )
  UPDATE endpoint_upstreams AS due SET is_tools_due = true FROM uses
  WHERE due.bundle_id = uses.bundle_id AND due.entry_id = uses.entry_id`;
