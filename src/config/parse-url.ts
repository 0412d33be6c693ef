/**
 * In place of `URL.canParse`, which Node 20 gets wrong once a function that calls it has become hot: it then refuses
 * addresses with letters such as ü (lint keeps it out).
 *
 * @returns the address as the URL standard reads it, or undefined when it is none
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
