import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

const FROM = '/organisations/$orgId/allow-list';

/** Where on the screen a person is, as the address says, and how they get elsewhere on it. */
export function usePlace() {
  const { orgId } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  type Search = typeof search;
  /** Changes some parameters and keeps the others; undefined takes one away. */
  const go = (changes: { [Name in keyof Search]?: Search[Name] | undefined }, replace = false) =>
    void navigate({ search: { ...search, ...changes }, replace, resetScroll: false });
  return { orgId, search, go };
}
