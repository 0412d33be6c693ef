import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callPage } from '../../../api/client';
import { useList } from '../../../api/queries';
import { type Arrivals, heldCount, NOTHING_YET, PAGE_SIZE, shownCalls, withPage } from './record';
import { type CallFilter, narrowing } from './filter';

const LIST = 'GET /v1/bundles/{bundle_id}/calls';
const POLL_MS = 2_000;

interface RecordOptions {
  /** From when. */
  from: string;
  /** Whether new calls are read. */
  isLive: boolean;
  /** The reading up to which calls are shown, while a person reads; undefined: all. */
  upTo: number | undefined;
}

/** The record of calls, older pages on demand, and new calls as they come while the page is visible. */
export function useRecord(bundleId: string, filter: CallFilter, { from, isLive, upTo }: RecordOptions) {
  const client = useQueryClient();
  const parts = { path: { bundle_id: bundleId }, query: { ...narrowing(filter), from, limit: PAGE_SIZE } };
  const list = useList(LIST, parts, { keepsFormer: true });
  const key = ['new calls', bundleId, parts.query];
  const isReady = list.data !== undefined && !list.isPlaceholderData;
  const polled = useQuery<Arrivals>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const page = await callPage(LIST, parts, signal);
      const known = new Set(list.items.map(({ id }) => id));
      return withPage(client.getQueryData<Arrivals>(key) ?? NOTHING_YET, known, page.items);
    },
    enabled: isReady && isLive,
    initialData: NOTHING_YET,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: POLL_MS,
    structuralSharing: false,
  });
  const arrivals = polled.data;
  const opened = list.data;
  const items = useMemo(
    () => shownCalls(opened?.pages.flatMap((page) => page.items) ?? [], arrivals, upTo),
    [opened, arrivals, upTo],
  );
  return {
    list: { ...list, items },
    round: arrivals.round,
    held: heldCount(arrivals, upTo),
    hasGap: arrivals.hasGap,
    pollError: polled.error,
  };
}
