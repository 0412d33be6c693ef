/** @returns the claim if it is a text that PostgreSQL can store, of at most so many UTF-16 units and not empty */
export function storableText(claim: unknown, longest = Infinity): string | undefined {
  if (typeof claim !== 'string' || claim === '' || claim.length > longest) return undefined;
  return claim.includes('\0') || !claim.isWellFormed() ? undefined : claim;
}
