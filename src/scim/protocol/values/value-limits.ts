/** Limits on one attribute of a resource; beyond them, `invalidValue`. Lengths are in UTF-16 code units. */
export const VALUE_LIMITS = {
  /** A string in a database index has at most so many: a B-tree entry has at most 2,704 bytes, a code unit up to 3. */
  indexedLength: 512,
  /** Any other string has at most so many: a certificate or a long note fits, an inline picture does not. */
  length: 65_536,
  /** Values of a multi-valued attribute of a user. Group members are not limited. */
  values: 1_000,
  /** The JSON of all user attributes without a column has so many: a PUT of what was read fits, with room to spare. */
  userLength: 262_144,
} as const;

/** The strings that the database indexes, by path. */
export const INDEXED: ReadonlySet<string> = new Set(['userName', 'externalId', 'displayName', 'emails.value']);

/**
 * How many values the operations of one PATCH may compare in total, counted once per comparison (long ones more than
 * once): far more than any directory needs, and too little to delay other organisations.
 */
export const PATCH_COMPARISONS = 50_000;

/** The additional cost of a filter among the names of an object. */
export const FILTER_COST = 100;
