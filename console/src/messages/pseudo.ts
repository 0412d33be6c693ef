const ACCENTS: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  y: 'ý',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
};

/**
 * A language for tests: each text 40 % longer, with accents and in brackets, so that one sees what is not translated and
 * what breaks when it is longer.
 */
export function pseudo<Texts>(texts: Texts): Texts {
  if (typeof texts === 'string') return longer(texts) as Texts;
  if (typeof texts === 'function') {
    const text = texts as unknown as (...values: unknown[]) => unknown;
    return ((...values: unknown[]) => pseudo(text(...values))) as Texts;
  }
  if (Array.isArray(texts)) return texts.map((text: unknown) => pseudo(text)) as Texts;
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, pseudo(value)])) as Texts;
}

function longer(text: string): string {
  const accented = text.replace(/[aeiouyAEIO]/g, (letter) => ACCENTS[letter] ?? letter);
  return `[${accented}${' ~'.repeat(Math.ceil(text.length / 5))}]`;
}
