import { parse, type ParsedUrlQuery } from 'node:querystring';

/** As axios, qs and PHP write the parameters of a list: `name[]`, `name[0]`. Four digits are more than a URL has room for. */
const OF_LIST = /^(?<name>[^[\]]+)\[\d{0,4}\]$/;

/**
 * Parses the query of a URL: a repeated parameter becomes a list. `name[]` and `name[0]` are read as `name` (contract,
 * 13.5): if they were unknown parameters, which are ignored, a filter of such a client would select everything.
 *
 * @param text without the question mark
 */
export function parseQueryString(text: string): ParsedUrlQuery {
  // Node's own parser silently stops at 1,000 parameters; the length of the URL is limited anyway.
  const parsed = parse(text, '&', '=', { maxKeys: 0 });
  const names = Object.keys(parsed);
  if (!names.some((name) => name.endsWith(']'))) return parsed;
  const query = Object.create(null) as ParsedUrlQuery;
  for (const sent of names) {
    const name = OF_LIST.exec(sent)?.groups?.name ?? sent;
    const value = parsed[sent] ?? '';
    const former = query[name];
    query[name] = former === undefined ? value : [former, value].flat();
  }
  return query;
}

/**
 * @param name of a parameter that an operation does not have
 * @param known by their folded names
 * @returns the parameter that it is another spelling of, as `createdAt`, `created-at` or `created_at.gt` are of `created_at`;
 *   undefined if there is none
 */
export function misspelt(name: string, known: ReadonlyMap<string, string>): string | undefined {
  const stem = name.split(/[[\].:]/).find((part) => part !== '');
  return stem === undefined ? undefined : known.get(foldedName(stem));
}

/** @returns what all spellings of a parameter have in common */
export function foldedName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
