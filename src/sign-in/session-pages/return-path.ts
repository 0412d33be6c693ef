const MAX_LENGTH = 4_096;
const BASE = 'https://here.invalid';

/**
 * Where to go on after signing in: a path of ours, and nothing that a browser could read as another site
 * (`//evil.example`, `/\evil.example`, `https:evil.example`).
 *
 * @param text from a query or a form, so from anybody
 * @returns undefined if it is not such a path
 */
export function returnPath(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined;
  // Browsers drop tabs and line feeds, and take a backslash for a slash.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return undefined;
  const { origin, pathname, search } = new URL(text, BASE);
  return origin === BASE && !pathname.startsWith('//') ? pathname + search : undefined;
}
