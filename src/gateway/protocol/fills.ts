/** A text in which values of a credential are put. */
export type FilledText = readonly (string | SecretPlace)[];

/** Where a value of a credential goes. */
export interface SecretPlace {
  readonly secret: string;
}

/** What of a request to an upstream has values of a credential in it. Contains none itself. */
export interface Fills {
  /** The whole address; absent: there are none in it. */
  readonly url?: FilledText;
  /** Headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, FilledText>>;
}

/**
 * Puts values into a text.
 *
 * @param encode what becomes of each value
 * @returns undefined if one of them is missing
 */
export function filled(
  text: FilledText,
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

/** @returns the text for people: `{name}` where values go */
export function shown(text: FilledText): string {
  return text.map((part) => (typeof part === 'string' ? part : `{${part.secret}}`)).join('');
}
