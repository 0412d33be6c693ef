/** What a client asks for, as `install` and `connect` answer it. */
export interface AskedInput {
  name: string;
  is_secret: boolean;
  placeholder: string | null;
  default: string | null;
}

/** The address that opens a client, before its content is encoded. */
export interface ClientLink {
  prefix: string;
  encoding: 'percent' | 'base64';
  content: string;
}

/** What was typed, by the names of inputs. What is missing or empty stays a placeholder, for the client. */
export type Typed = Readonly<Record<string, string>>;

/** How a value gets into a text, so that it is nothing but a value there, whatever it contains. */
export type Quoting = (value: string) => string;

/** Stands for a secret where the page shows what it does not reveal. No way of quoting changes it. */
export const HIDDEN = '******';

/** Of a link, in characters: Windows hands no longer one to a program. The API makes none either. */
export const MAX_LINK_LENGTH = 2_000;

/** The clients that links of the API open. A link with any other scheme is not opened. */
const SCHEMES: ReadonlySet<string> = new Set(['vscode:', 'vscode-insiders:', 'cursor:']);

/**
 * What has a meaning of its own on the way to a client: `%` in a link that is decoded twice, `'` and `!` in a shell, what
 * Base64 would turn into `+` and `/`, and all that is not ASCII. The API writes its texts by the same rule.
 */
const NOT_PORTABLE = /[^ -~]|[%'!?~<>&`]/g;

/** For a text that contains JSON, also where that is in a command or a link: printable ASCII inside a JSON string. */
export const inJson: Quoting = (value) =>
  JSON.stringify(value)
    .slice(1, -1)
    .replace(NOT_PORTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** For a placeholder between double quotes of a POSIX shell. */
export const inDoubleQuotes: Quoting = (value) => value.replace(/[\\"$`]/g, '\\$&');

/** For a placeholder between single quotes of a POSIX shell. */
export const inSingleQuotes: Quoting = (value) => value.replaceAll("'", `'\\''`);

/**
 * Replaces the placeholders of inputs by what was typed.
 *
 * All in one pass: a value may look like the placeholder of another input, and stays as it was typed.
 */
export function fill(text: string, inputs: readonly AskedInput[], typed: Typed, quoting: Quoting): string {
  const values = new Map(
    inputs.flatMap(({ name, placeholder }): [string, string][] => {
      const value = own(typed, name);
      return placeholder === null || placeholder === '' || value === '' ? [] : [[placeholder, quoting(value)]];
    }),
  );
  if (values.size === 0) return text;
  // The longest first: one placeholder may begin with another, as `$TOKEN` and `$TOKEN_2` do.
  const any = [...values.keys()].sort((one, other) => other.length - one.length).map(literal);
  return text.replace(new RegExp(any.join('|'), 'g'), (placeholder) => values.get(placeholder) ?? placeholder);
}

/** @returns what was typed, with a sign in place of each secret: for what is shown, and not copied */
export function withoutSecrets(inputs: readonly AskedInput[], typed: Typed): Typed {
  const shown = inputs.map(({ name, is_secret: isSecret }) => {
    const value = own(typed, name);
    return [name, isSecret && value !== '' ? HIDDEN : value] as const;
  });
  return Object.fromEntries(shown);
}

/** @returns the values that the server proposes, with which a form begins; never one for a secret */
export function proposed(inputs: readonly AskedInput[]): Typed {
  return Object.fromEntries(
    inputs.flatMap((input) => (input.default === null || input.is_secret ? [] : [[input.name, input.default]])),
  );
}

/**
 * Writes the link that opens a client.
 *
 * @param link with its content filled in
 * @returns undefined if it is none of a known client, or too long for some system
 */
export function linkAddress({ prefix, encoding, content }: ClientLink): string | undefined {
  if (!SCHEMES.has(prefix.slice(0, prefix.indexOf(':') + 1))) return undefined;
  const encoded = encodeURIComponent(encoding === 'base64' ? base64(content) : content.toWellFormed());
  const address = prefix + encoded;
  return address.length > MAX_LINK_LENGTH ? undefined : address;
}

/** Of the bytes of UTF-8: `btoa` alone takes no character above U+00FF. */
export function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

function own(typed: Typed, name: string): string {
  return Object.hasOwn(typed, name) ? (typed[name] ?? '') : '';
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
