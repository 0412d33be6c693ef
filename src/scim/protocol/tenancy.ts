/**
 * Checks that a row found by its id belongs to the organisation, $1. Not as a plain comparison: the planner could use
 * that as an access path, and until the next ANALYZE after 100,000 users arrive it believes that a directory has one
 * user, and considers scanning the whole organisation as good as looking up the id.
 */
export const IS_OWN = `(org_id = $1) IS TRUE`;
