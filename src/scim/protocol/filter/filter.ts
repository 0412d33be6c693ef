/** A parsed filter (RFC 7644, section 3.4.2.2): well-formed, but not yet checked against any schema. */
export type Filter = Conjunction | Disjunction | Negation | Test;

/** All of at least two. */
export interface Conjunction {
  readonly kind: 'and';
  readonly filters: readonly Filter[];
}

/** One of at least two. */
export interface Disjunction {
  readonly kind: 'or';
  readonly filters: readonly Filter[];
}

export interface Negation {
  readonly kind: 'not';
  readonly filter: Filter;
}

export type Test = Presence | Comparison | ValuePath;

/** `title pr` */
export interface Presence {
  readonly kind: 'present';
  /** As written: see resolvePath. Inside a value path, the name of a sub-attribute. */
  readonly path: string;
}

/** `userName eq "ada"` */
export interface Comparison {
  readonly kind: 'compare';
  readonly path: string;
  readonly operator: ComparisonOperator;
  readonly value: FilterValue;
}

/**
 * `emails[type eq "work"]`: one and the same value satisfies the whole filter. `emails[type eq "work"].value eq "x"` is
 * parsed as `emails[type eq "work" and value eq "x"]`.
 */
export interface ValuePath {
  readonly kind: 'value';
  readonly path: string;
  /** Contains no further value path. */
  readonly filter: Filter;
}

export const COMPARISON_OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export type FilterValue = string | number | boolean | null;

/** The `path` of a PATCH operation (RFC 7644, section 3.5.2), not yet checked against any schema. */
export interface PatchPath {
  /** Everything before the brackets, as written: see resolvePath. Without brackets it may name a sub-attribute. */
  readonly attributePath: string;
  /** The content of the brackets. */
  readonly valueFilter?: Filter;
  /** The sub-attribute after the brackets. */
  readonly sub?: string;
}
