/** @returns the claim if it is a non-empty string that PostgreSQL can store, of at most that many UTF-16 units */
export function storableText(claim: unknown, longest = Infinity): string | undefined {
  if (typeof claim !== 'string' || claim === '' || claim.length > longest) return undefined;
  return claim.includes('\0') || !claim.isWellFormed() ? undefined : claim;
}
