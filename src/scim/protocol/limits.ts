/** Limits on requests, including their duration; sizes are advertised in `ServiceProviderConfig`. */
export const LIMITS = {
  /** Resources in a page by default and at most. */
  defaultPageSize: 100,
  maxPageSize: 1_000,
  /** Characters of a filter or a PATCH path, its nesting depth, and the number of comparisons in it. */
  filterLength: 4_096,
  filterDepth: 32,
  filterTerms: 64,
  /** Operations of one PATCH. */
  patchOperations: 1_000,
  /**
   * Characters of all paths with a filter in one PATCH together: parsing them is the most expensive part of a PATCH.
   */
  patchFilterLength: 262_144,
  /** Operations and bytes of one bulk request. */
  bulkOperations: 500,
  bulkBytes: 4_194_304,
  /** Values in the body of one bulk request, and of one that writes a group: as many members as fit into a MiB. */
  bulkValues: 100_000,
  groupValues: 75_000,
  /**
   * How long a bulk request may keep starting operations. Well below the time after which identity providers and load
   * balancers hang up and learn nothing about any of them.
   */
  bulkMs: 8_000,
  /** For each of the two statements that scan a directory with a filter. */
  filterMs: 4_000,
} as const;
