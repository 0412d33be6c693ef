import type { Response } from 'supertest';
import type { Api } from './api';

/** @returns the path and query of the next page, from the `Link` header (RFC 8288) */
export function nextPage(response: Response): string | undefined {
  const link = response.headers.link;
  if (link === undefined) return undefined;
  const [, target] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
  if (target === undefined) throw new Error(`This is no Link header of ours: ${link}`);
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/**
 * Walks a list to its end.
 *
 * @param between called after each page but the last
 */
export async function allPages<T>(api: Api, path: string, between?: () => Promise<unknown>): Promise<T[]> {
  const rows: T[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const response = await api.get(next);
    rows.push(...(response.body as T[]));
    next = nextPage(response);
    if (next !== undefined) await between?.();
  }
  return rows;
}
