import type { Answer, Api } from './api';
import type { BodyOf, ItemOf } from './typed-paths';

/** @returns the path and query of the next page, from the `Link` header (RFC 8288) */
export function nextPage(response: Pick<Answer, 'headers'>): string | undefined {
  const link = response.headers.link;
  if (link === undefined) return undefined;
  const [, target] = /^<([^>]+)>; rel="next"$/.exec(link) ?? [];
  if (target === undefined) throw new Error(`This is no Link header of ours: ${link}`);
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Walks a list to its end, page by page. */
export async function* pagesOf<P extends string>(api: Api, path: P): AsyncGenerator<Answer<BodyOf<'get', P>>> {
  for (let next: string | undefined = path; next !== undefined;) {
    // The next page is of the same list, though its address is only known as text.
    const page: Answer<BodyOf<'get', P>> = await api.get<P, 200>(next as P);
    yield page;
    next = nextPage(page);
  }
}

/**
 * Walks a list to its end.
 *
 * @param between called after each page but the last
 */
export async function allPages<P extends string>(
  api: Api,
  path: P,
  between?: () => Promise<unknown>,
): Promise<ItemOf<P>[]> {
  const rows: ItemOf<P>[] = [];
  for await (const page of pagesOf(api, path)) {
    if (!isList<ItemOf<P>>(page.body)) throw new Error(`${path} does not answer with a list.`);
    rows.push(...page.body);
    if (nextPage(page) !== undefined) await between?.();
  }
  return rows;
}

function isList<T>(body: unknown): body is T[] {
  return Array.isArray(body);
}
