/** What one attribute of a resource may hold; beyond, `invalidValue`. Lengths are in UTF-16 code units. */
export const VALUE_LIMITS = {
  /** Of a text that the database indexes: an entry of a B-tree takes 2,704 bytes, a code unit up to three of them. */
  indexedLength: 512,
  /** Of any other text: a certificate or a long note fits, a picture in the text does not. */
  length: 65_536,
  /** Values of a multi-valued attribute of a user. Members of a group are not bounded. */
  values: 1_000,
  /** Of all of a user that has no column of its own, as JSON: what was read must fit into a PUT again, with room to spare. */
  userLength: 262_144,
} as const;

/** The texts that the database indexes, by their paths. */
export const INDEXED: ReadonlySet<string> = new Set(['userName', 'externalId', 'displayName', 'emails.value']);

/**
 * How many values the operations of one PATCH may look at, all together and counted once for each comparison (long ones
 * more than once): far more than any directory needs, and less than would hold up other organisations.
 */
export const PATCH_COMPARISONS = 50_000;

/** What a filter among the names of an object counts for besides. */
export const FILTER_COST = 100;
