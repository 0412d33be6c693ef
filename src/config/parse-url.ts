/**
 * Replaces `URL.canParse`, which is wrong in Node 20 once a function that calls it has become hot: it then rejects URLs
 * with letters such as ü (banned by lint).
 *
 * @returns the parsed URL, or undefined if it is invalid
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
