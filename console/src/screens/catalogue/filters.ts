import type { Calls } from '../../api/schema';

/** What the address says of the catalogue. */
export interface CatalogueSearch {
  q?: string;
  category?: string;
  transport?: string;
  registry?: string;
  scope?: string;
  org?: string;
  sort?: string;
  view?: string;
}

type Query = NonNullable<Calls['GET /v1/mcp/listings']['query']>;
type Sort = NonNullable<Query['sort']>;
type Transport = NonNullable<Query['transport']>;

export const SCOPES = ['visible', 'public', 'mine'] as const;
export const SORTS = ['relevance', 'newest', 'name', 'rating'] as const satisfies readonly Sort[];
const TRANSPORTS = ['stdio', 'streamable-http', 'sse'] as const satisfies readonly Transport[];

/** The filters besides the words, by their names in the address. */
export const FILTERS = ['category', 'transport', 'registry'] as const;
export type Filter = (typeof FILTERS)[number];

/** @returns what to ask the list and the facets; what an address says wrongly is left out */
export function filterOf({ q, category, transport, registry, scope, org }: CatalogueSearch) {
  return {
    search: q?.trim() || undefined,
    category,
    transport: TRANSPORTS.find((one) => one === transport),
    registry_type: registry,
    ...(org === undefined ? { scope: SCOPES.find((one) => one === scope) ?? 'visible' } : { org_id: org }),
  };
}

/** @returns the order: the best match for a search, otherwise the newest first */
export function sortOf({ q, sort }: CatalogueSearch): Sort {
  const chosen = SORTS.find((one) => one === sort);
  const hasWords = (q?.trim() ?? '') !== '';
  if (chosen !== undefined && (chosen !== 'relevance' || hasWords)) return chosen;
  return hasWords ? 'relevance' : 'newest';
}

const MAX_WORDS = 2;

/** @returns the longest words of a search, for one by one where no server has all; one that another begins with stands for both */
export function wordsOf(text: string): string[] {
  const words = [...new Set(text.split(/\s+/).filter((word) => word.length > 2))];
  const begun = words.filter((word) => !words.some((other) => other !== word && word.startsWith(other)));
  const longest = begun.toSorted((one, other) => other.length - one.length).slice(0, MAX_WORDS);
  return begun.filter((word) => longest.includes(word));
}

/** @returns the same search without what narrows it; the words and how it is shown stay */
export function withoutFilters({ q, sort, view }: CatalogueSearch): CatalogueSearch {
  return { ...(q !== undefined && { q }), ...(sort !== undefined && { sort }), ...(view !== undefined && { view }) };
}

/** @returns whether more than words narrows the search */
export function isNarrowed(search: CatalogueSearch): boolean {
  return [...FILTERS, 'scope' as const, 'org' as const].some((name) => search[name] !== undefined);
}
