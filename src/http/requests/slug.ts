/**
 * Makes a slug from a name: lower-case ASCII letters and digits, joined by hyphens, at most 60 characters.
 *
 * @returns undefined if no character of the name can be used in a slug
 */
export function slugOf(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? undefined : slug;
}
