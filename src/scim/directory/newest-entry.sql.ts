/**
 * Selects the entry that counts if one person has several in the directory of one organisation: users who were deleted
 * and pushed again have a deleted entry each time, and at most one that is not.
 */
export const NEWEST_ENTRY = `ORDER BY deleted_at DESC NULLS FIRST LIMIT 1`;
