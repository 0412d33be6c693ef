/** @returns what `Rows` takes, for a list that is there as a whole */
export const wholeList = <Item>(items: readonly Item[]) => ({
  items,
  data: items,
  error: null,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
  refetch: () => undefined,
});
