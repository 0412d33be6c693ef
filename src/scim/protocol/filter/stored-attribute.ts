/** An expression for one value; null where there is none. Names in it come from our schemas, never from a request. */
export interface StoredValue {
  readonly sql: string;
  /**
   * `flag` is a boolean as JSON, of which RFC 7643, section 2.4 says that it is false where it is missing: `primary`.
   * `computed` is made for the answer, but stored nowhere.
   */
  readonly type: 'text' | 'uuid' | 'boolean' | 'flag' | 'timestamptz' | 'computed';
  /** The function by whose results texts are compared and ordered that do not mind the case; `lower` if absent. */
  readonly fold?: 'username_key';
  /** The same for `eq` and `ne` only, where parts of a text have no such form. */
  readonly foldEqual?: 'address_key';
  /** Of what is computed: when it is there, if that is not always. */
  readonly present?: string;
}

/** Where the database has an attribute. */
export type StoredAttribute =
  | { readonly kind: 'simple'; readonly value: StoredValue }
  | { readonly kind: 'complex'; readonly present: string; readonly sub: (name: string) => StoredValue }
  | {
      readonly kind: 'many';
      /** One row for each value. */
      readonly from: string;
      readonly where: string;
      readonly sub: (name: string) => StoredValue;
      /** The order in which the preferred value is the first; absent where values have no order. */
      readonly order?: string;
    };
