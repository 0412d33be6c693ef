import { createHash } from 'node:crypto';
import type { ListPage } from './compiled-bundle';

/** What one page has at most: items, and bytes, unless a single item has more. */
interface PageLimits {
  readonly items: number;
  readonly bytes: number;
}

const PAGE_LIMITS: PageLimits = { items: 500, bytes: 4_194_304 };

/**
 * Cuts a list into pages.
 *
 * @param field of the result: `tools`
 * @param items each as JSON, in their order
 * @returns at least one page
 */
export function listPages(field: string, items: readonly string[], limits = PAGE_LIMITS): ListPage[] {
  const pages: ListPage[] = [];
  for (let start = 0; start === 0 || start < items.length;) {
    const end = endOfPage(items, start, limits);
    const next = end < items.length ? end : undefined;
    const text = `"${field}":[${items.slice(start, end).join(',')}]`;
    pages.push({ start, count: end - start, items: Buffer.from(text), next });
    if (next === undefined) break;
    start = next;
  }
  return pages;
}

/** @returns the page with the item at a place; undefined if the list is not that long */
export function pageAt(pages: readonly ListPage[], place: number): ListPage | undefined {
  return pages.find(({ start, count }) => start <= place && (place < start + count || (place === 0 && start === 0)));
}

/** @returns the same for two lists only if they have the same items in the same order */
export function digestOfPages(...lists: readonly (readonly ListPage[])[]): string {
  const digest = createHash('sha256');
  for (const pages of lists) {
    for (const { items } of pages) digest.update(items).update('\n');
    digest.update('\n');
  }
  return digest.digest('base64url');
}

function endOfPage(items: readonly string[], start: number, limits: PageLimits): number {
  let bytes = 0;
  let end = start;
  while (end < items.length && end - start < limits.items) {
    bytes += Buffer.byteLength(items[end] ?? '') + 1;
    if (bytes > limits.bytes && end > start) break;
    end++;
  }
  return end;
}
