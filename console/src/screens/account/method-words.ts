/**
 * @param methods how a person signed in (RFC 8176), as the API answers
 * @param words for those that are known
 * @returns them in words, each once; others as they are
 */
export function methodWords(methods: unknown, words: Readonly<Record<string, string>>): string[] {
  if (!Array.isArray(methods)) return [];
  const known = methods.filter((method) => typeof method === 'string').map((method) => words[method] ?? method);
  return [...new Set(known)];
}
