/** What `ServiceProviderConfig` advertises, and what is refused beyond. */
export const LIMITS = {
  /** Resources in a page when `count` is not given, and at most. */
  defaultPageSize: 100,
  maxPageSize: 1_000,
  /** Characters of a filter or a PATCH path, nested parentheses and brackets, and comparisons in it. */
  filterLength: 4_096,
  filterDepth: 32,
  filterTerms: 64,
  /** Operations of one PATCH. */
  patchOperations: 1_000,
  /** Operations and bytes of one bulk request. */
  bulkOperations: 500,
  bulkBytes: 4_194_304,
} as const;
