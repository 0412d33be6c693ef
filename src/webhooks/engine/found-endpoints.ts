/**
 * Hands on what a statement finds to those that are sent together with it, which cannot have it as a parameter: a
 * setting that ends with the transaction. So what is found is locked and read without another round trip.
 */
export const FOUND_ENDPOINTS = 'toolyard.found_endpoints';

/**
 * Selected exactly once by the statement that finds them, in a query of its own.
 *
 * @param endpointId the column of their ids
 */
export const noteFound = (endpointId: string) =>
  `set_config('${FOUND_ENDPOINTS}', array_agg(DISTINCT ${endpointId})::text, true)`;

/** @param setting the parameter that is `FOUND_ENDPOINTS`: with one, a statement is sent with others even without a name */
export const foundEndpoints = (setting: string) => `NULLIF(current_setting(${setting}, true), '')::uuid[]`;

/**
 * What is sent to an endpoint, to be joined by `CROSS JOIN LATERAL`. The limit keeps the planner to one look at the index
 * for each, however few endpoints there were when the plan was made.
 *
 * @param id the column with its id
 */
export const endpointOf = (id: string) => `(
    SELECT id, target_url, encrypted_query, encrypted_secret, encrypted_headers, rate_limit_per_second, is_active, event_types
    FROM webhook_endpoints WHERE id = ${id} LIMIT 1)`;
