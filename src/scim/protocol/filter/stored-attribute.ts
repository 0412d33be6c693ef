/** An expression for one value; null if there is none. Names in it come from our schemas, never from a request. */
export interface StoredValue {
  readonly sql: string;
  /**
   * `flag` is a boolean in JSON that is false if it is missing, according to RFC 7643, section 2.4: `primary`.
   * `computed` is generated for the response, but not stored.
   */
  readonly type: 'text' | 'uuid' | 'boolean' | 'flag' | 'timestamptz' | 'computed';
  /** The function whose results are used to compare and order case-insensitive strings; `lower` if absent. */
  readonly fold?: 'username_key';
  /** The same for `eq` and `ne` only, if substrings have no such form. */
  readonly foldEqual?: 'address_key';
  /** For computed values: the condition under which they are present, if not always. */
  readonly present?: string;
}

/** Where the database stores an attribute. */
export type StoredAttribute =
  | { readonly kind: 'simple'; readonly value: StoredValue }
  | { readonly kind: 'complex'; readonly present: string; readonly sub: (name: string) => StoredValue }
  | {
      readonly kind: 'many';
      /** One row for each value. */
      readonly from: string;
      readonly where: string;
      readonly sub: (name: string) => StoredValue;
      /** The order that puts the preferred value first; absent if values have no order. */
      readonly order?: string;
    };
