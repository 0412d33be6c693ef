import { useList, useRead } from '../../../api/queries';
import type { Bundle, BundleTool } from '../../../api/schema';
import { isFiltered, isHeld, isWanted, type ToolFilters } from './tool-filters';

/** As many as the API gives at once: most bundles have fewer tools. */
const LIMIT = 100;
const LIST = 'GET /v1/bundles/{bundle_id}/tools';

/**
 * The tools of a bundle. Those that are all here are filtered here, at once and with counts; of more the API filters.
 *
 * @returns the list to show, all tools if they are known, and how many wait for an approval
 */
export function useTools(bundle: Bundle, filters: ToolFilters) {
  const path = { bundle_id: bundle.id };
  const all = useList(LIST, { path, query: { limit: LIMIT } });
  const isWhole = all.data !== undefined && !all.hasNextPage;
  const isLarge = all.data !== undefined && all.hasNextPage;
  const { q, entry, ...others } = filters;
  const asks = isLarge && isFiltered(filters);
  const some = useList(
    LIST,
    { path, query: { limit: LIMIT, search: q, entry_id: entry, ...others } },
    { enabled: asks, keepsFormer: true },
  );
  const waiting = useRead('GET /v1/users/me/waiting', {}, { enabled: isLarge && bundle.may_modify });
  const held = all.items.filter(isHeld);
  const counted = waiting.data?.tools.items.find((one) => one.bundle_id === bundle.id)?.count;
  return {
    list: asks ? some : { ...all, items: all.items.filter((tool) => isWanted(tool, filters)) },
    whole: isWhole ? all.items : undefined,
    held,
    heldCount: isWhole ? held.length : Math.max(counted ?? 0, held.length),
  };
}

/** Those that wait for an approval, changed ones first. */
export function useHeld(bundleId: string, enabled: boolean) {
  const path = { bundle_id: bundleId };
  const changed = useList(LIST, { path, query: { limit: LIMIT, state: 'CHANGED' } }, { enabled });
  const fresh = useList(LIST, { path, query: { limit: LIMIT, state: 'NEW' } }, { enabled });
  const items: BundleTool[] = [...changed.items, ...fresh.items].filter(isHeld);
  return {
    items,
    isRead: changed.data !== undefined && fresh.data !== undefined,
    isFetching: changed.isFetching || fresh.isFetching,
    hasMore: changed.hasNextPage || fresh.hasNextPage,
    error: changed.error ?? fresh.error,
    refetch: () => Promise.all([changed.refetch(), fresh.refetch()]),
  };
}
