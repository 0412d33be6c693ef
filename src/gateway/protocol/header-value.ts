const PREFIX = '=?base64?';
const SUFFIX = '?=';

/** Visible characters of ASCII, with spaces and tabs only inside; also none (RFC 9110, section 5.5). */
const PLAIN = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Writes a text as the value of a header, encoded where it would not survive as it is (MCP 2026-07-28, Streamable HTTP,
 * "Value Encoding").
 */
export function encodeHeaderValue(text: string): string {
  // One without characters is valid, but proxies drop such headers.
  const isPlain = text !== '' && PLAIN.test(text) && !(text.startsWith(PREFIX) && text.endsWith(SUFFIX));
  return isPlain ? text : `${PREFIX}${Buffer.from(text).toString('base64')}${SUFFIX}`;
}

/** @returns the text that a header means; undefined if it is no valid value */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) return PLAIN.test(value) ? value : undefined;
  const encoded = value.slice(PREFIX.length, -SUFFIX.length);
  if (!BASE64.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
