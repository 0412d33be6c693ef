/** What a request may ask for, and how long it may take; sizes are advertised in `ServiceProviderConfig`. */
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
  /** Characters of the paths of one PATCH that have a filter, all together: reading them is what a PATCH costs most. */
  patchFilterLength: 262_144,
  /** Operations and bytes of one bulk request. */
  bulkOperations: 500,
  bulkBytes: 4_194_304,
  /** Values of the body of one bulk request, and of one that writes a group: as many members as a MiB holds. */
  bulkValues: 100_000,
  groupValues: 75_000,
  /**
   * How long a bulk request may go on beginning operations. Well under the time after which identity providers and load
   * balancers hang up and know of none of them.
   */
  bulkMs: 8_000,
  /** For each of the two statements that look through a directory with a filter. */
  filterMs: 4_000,
} as const;
