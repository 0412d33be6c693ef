/** The columns of an endpoint in a list: those of the specification and a few more. */
export const ENDPOINT_COLUMNS = `id, org_id, owner_id, target_url, encrypted_query, description, is_active, event_types, disabled_reason,
  disabled_at, created_at, updated_at`;

/** The columns of the detailed view. */
export const ENDPOINT_DETAIL_COLUMNS = `${ENDPOINT_COLUMNS}, rate_limit_per_second, encrypted_headers`;

/** The page size cap of the specification, across all organisations visible to the caller. */
export const LIST_CAP = 100;

/**
 * All endpoints of one organisation ($1), newest first.
 *
 * @param filter an SQL predicate over the endpoint's columns
 */
export function listOfOrganisation(filter: string): string {
  return `
    SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
    WHERE org_id = $1 AND ${filter}
    ORDER BY created_at DESC, id DESC`;
}

/**
 * The newest endpoints that a user ($1) owns or sees as a member, and one more than the cap, which shows that the cap
 * cut something off. Each organisation contributes at most that many from its index, so the cost does not grow with the
 * number of its endpoints. `is_manager`: whether the user may change the endpoint.
 *
 * @param filter an SQL predicate over the endpoint's columns
 */
export function listOfCaller(filter: string): string {
  const newest = `ORDER BY created_at DESC, id DESC LIMIT ${LIST_CAP + 1}`;
  return `
    (SELECT ${ENDPOINT_COLUMNS}, true AS is_manager FROM webhook_endpoints
     WHERE owner_id = $1 AND org_id IS NULL AND ${filter} ${newest})
    UNION ALL
    (SELECT theirs.*, memberships.role <> 'MEMBER' FROM memberships CROSS JOIN LATERAL (
       SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
       WHERE org_id = memberships.org_id AND ${filter} ${newest}) AS theirs
     WHERE memberships.user_id = $1 AND memberships.role IS NOT NULL)
    ${newest}`;
}
