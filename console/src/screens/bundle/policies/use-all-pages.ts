import { useEffect } from 'react';

/** A list that no search of the API shortens is read on up to here, in pages. */
const MAX_PAGES = 20;

interface Paged {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/** Reads the further pages of a list one after the other while all are wanted. */
export function useAllPages(list: Paged, isWanted: boolean): void {
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  const count = data?.pages.length ?? 0;
  const goesOn = isWanted && hasNextPage && !isFetchingNextPage && !isError && count < MAX_PAGES;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, count, fetchNextPage]);
}
