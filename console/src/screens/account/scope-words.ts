import { accountWords } from './words';

const SCOPES: Record<string, string> = accountWords.scopes;

/** @returns what scopes allow, in the words of the consent page; those of OAuth itself allow nothing of their own */
export function scopeWords(scopes: readonly string[]): string {
  const known = scopes.flatMap((scope) => (SCOPES[scope] === undefined ? [] : [SCOPES[scope]]));
  return known.length === 0 ? accountWords.applications.knows : known.join('; ');
}
