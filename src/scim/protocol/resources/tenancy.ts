/**
 * Holds what was found by its id against the organisation, $1. Not as a plain comparison: that would be a way to find
 * it, and a planner who believes that a directory has one user, as it does from the day on which 100,000 arrive until
 * the next ANALYZE, takes going through all of the organisation to be as good as looking up the id.
 */
export const IS_OWN = `(org_id = $1) IS TRUE`;
