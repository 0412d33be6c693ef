/** A text with placeholders for values of a credential. */
export type CredentialTemplate = readonly (string | CredentialPlaceholder)[];

/** The place of one value, by the name of the secret. */
export interface CredentialPlaceholder {
  readonly secret: string;
}

/** Where the values of a credential go in the requests to an upstream. Contains no values. */
export interface CredentialPlacements {
  /** The whole address; absent: it contains no values. */
  readonly url?: CredentialTemplate;
  /** Headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, CredentialTemplate>>;
}

/**
 * Replaces the placeholders of a text by values.
 *
 * @param encode what becomes of each value
 * @returns undefined if one of them is missing
 */
export function withCredentials(
  text: CredentialTemplate,
  values: ReadonlyMap<string, string>,
  encode: (value: string) => string = (value) => value,
): string | undefined {
  let result = '';
  for (const part of text) {
    const value = typeof part === 'string' ? part : values.get(part.secret);
    if (value === undefined) return undefined;
    result += typeof part === 'string' ? value : encode(value);
  }
  return result;
}

/** @returns the text for people: `{name}` for each placeholder */
export function withPlaceholders(text: CredentialTemplate): string {
  return text.map((part) => (typeof part === 'string' ? part : `{${part.secret}}`)).join('');
}

/** A value that a server needs, or takes, from a credential. */
export interface SecretNeed {
  /** As its server.json calls it: a variable, or a header. */
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether it is part of the header `Authorization` only, so that an access token can take its place. */
  readonly isToken: boolean;
  readonly description: string | undefined;
}
