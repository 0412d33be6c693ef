import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallName, callPage, type ItemOf, type Parts } from './client';
import { type Known, mergeHead, reaches } from './live-merge';

/** Pages that are read at once when much has happened since the last time. */
const MAX_PAGES = 3;

/** Lists whose items have an id in the order of the list. */
type LiveName = { [Name in CallName]: ItemOf<Name> extends { id: string } ? Name : never }[CallName];

/**
 * A list, newest first, to which new rows come while a person looks. Nothing is asked while the page is hidden.
 *
 * @param pollEvery milliseconds; undefined while it is paused
 * @returns what `Rows` takes
 */
export function useLiveList<Name extends LiveName>(name: Name, parts: Parts<Name>, pollEvery: number | undefined) {
  type Item = ItemOf<Name> & { id: string };
  const client = useQueryClient();
  const key = [name, 'path' in parts ? parts.path : null, 'query' in parts ? parts.query : null, 'live'];
  const [isReadingOn, setReadingOn] = useState(false);
  const pageAt = async (cursor: string | undefined, signal?: AbortSignal): Promise<Known<Item>> => {
    const query = { ...('query' in parts ? parts.query : undefined), ...(cursor !== undefined && { cursor }) };
    return (await callPage(name, { ...parts, query }, signal)) as Known<Item>;
  };
  const read = useQuery<Known<Item>>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      let head = await pageAt(undefined, signal);
      const before = client.getQueryData<Known<Item>>(key);
      for (let pages = 1; pages < MAX_PAGES && !reaches(before, head); pages++) {
        const next = await pageAt(head.cursor, signal);
        head = { items: [...head.items, ...next.items], cursor: next.cursor };
      }
      const known = client.getQueryData<Known<Item>>(key);
      return mergeHead(known, head, reaches(known, head));
    },
    ...(pollEvery !== undefined && { refetchInterval: pollEvery }),
  });
  const readOn = async () => {
    const { cursor } = client.getQueryData<Known<Item>>(key) ?? {};
    if (cursor === undefined) return;
    setReadingOn(true);
    try {
      const older = await pageAt(cursor);
      client.setQueryData<Known<Item>>(key, (known) =>
        known?.cursor === cursor ? { items: [...known.items, ...older.items], cursor: older.cursor } : known,
      );
    } finally {
      setReadingOn(false);
    }
  };
  return {
    items: read.data?.items ?? [],
    data: read.data,
    error: read.error,
    hasNextPage: read.data?.cursor !== undefined,
    isFetchingNextPage: isReadingOn,
    fetchNextPage: () => void readOn(),
    refetch: () => void read.refetch(),
  };
}
