/** Longer addresses match no template. */
const MAX_URI_LENGTH = 8_192;

/**
 * Whether an address can be one of a template (RFC 6570), to find the server that has it. The values of expressions may be
 * anything: the server decides. Takes time in proportion to the length of both, whatever a server makes of its template.
 *
 * @returns how many characters of the template are literal, so that the most specific of several can be chosen; undefined
 *   if the address does not match
 */
export function templateMatch(template: string, uri: string): number | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined;
  const literals = template.split(/\{[^{}]*\}/);
  const [first = '', ...others] = literals;
  const weight = literals.reduce((sum, literal) => sum + literal.length, 0);
  const last = others.pop();
  if (last === undefined) return uri === first ? weight : undefined;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return undefined;
  let from = first.length;
  for (const literal of others) {
    const at = uri.indexOf(literal, from);
    if (at === -1) return undefined;
    from = at + literal.length;
  }
  return from <= uri.length - last.length ? weight : undefined;
}
