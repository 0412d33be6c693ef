import {
  infiniteQueryOptions,
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type Answer, call, callPage, callText, type CallName, type ItemOf, type Parts } from './client';
import { ApiProblem, asProblem } from './problem';

/** A countdown longer than this is shown, and a person tries again. */
const MAX_WAIT_SECONDS = 60;
const MAX_READS = 3;

/** Reads that the server was too busy for are repeated when it says; nothing else is repeated, and writes never. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < MAX_READS && mayRepeat(error),
      retryDelay: (failures, error) => (asProblem(error).retryAfter ?? 2 ** failures) * 1_000,
    },
    mutations: { retry: false },
  },
});

function mayRepeat(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return [429, 503].includes(error.status) && (error.retryAfter ?? 0) <= MAX_WAIT_SECONDS;
}

/** Under what an answer is kept: the operation, then its parameters. */
function keyOf<Name extends CallName>(name: Name, parts: Parts<Name>): readonly unknown[] {
  return [name, 'path' in parts ? parts.path : null, 'query' in parts ? parts.query : null];
}

interface ReadOptions {
  enabled?: boolean;
  /** Milliseconds; for what changes while a person looks. */
  pollEvery?: number;
  /** Whether the former answer is shown until the next arrives, as while typing. */
  keepsFormer?: boolean;
}

/** Reads by `GET`, once for all parts of the page that ask the same. */
export function useRead<Name extends CallName>(name: Name, parts: Parts<Name>, options: ReadOptions = {}) {
  return useQuery<Answer<Name>>({
    queryKey: keyOf(name, parts),
    queryFn: ({ signal }) => call(name, parts, signal),
    enabled: options.enabled ?? true,
    ...(options.pollEvery !== undefined && { refetchInterval: options.pollEvery }),
    ...(options.keepsFormer && { placeholderData: keepPreviousData }),
  });
}

/** Reads a file, as the text that it is. */
export function useText<Name extends CallName>(name: Name, parts: Parts<Name>) {
  return useQuery<string>({
    queryKey: [...keyOf(name, parts), 'text'],
    queryFn: ({ signal }) => callText(name, parts, signal),
  });
}

interface PolledList {
  state: { data: { pages: readonly unknown[] } | undefined };
}

/** Reads a list page by page; `items` are those that were read. It polls while there is only the first page. */
export function useList<Name extends CallName>(name: Name, parts: Parts<Name>, options: ReadOptions = {}) {
  const { pollEvery } = options;
  const list = useInfiniteQuery({
    ...pagesOf(name, parts),
    enabled: options.enabled ?? true,
    // Of a list that a person has read on, nothing is asked again, nor moved.
    refetchInterval: ({ state }: PolledList) =>
      state.data && state.data.pages.length > 1 ? false : (pollEvery ?? false),
    ...(options.keepsFormer && { placeholderData: keepPreviousData }),
  });
  const items: ItemOf<Name>[] = list.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...list, items };
}

/** Reads the first page of a list before the part that shows it has rendered. */
export function readAhead<Name extends CallName>(name: Name, parts: Parts<Name>): void {
  void queryClient.prefetchInfiniteQuery(pagesOf(name, parts));
}

function pagesOf<Name extends CallName>(name: Name, parts: Parts<Name>) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(name, parts), 'pages'],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...('query' in parts ? parts.query : undefined), ...(pageParam && { cursor: pageParam }) };
      return callPage(name, { ...parts, query }, signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
  });
}

/**
 * Changes something, and reads again what has changed by it.
 *
 * @param changes the operations whose answers are then out of date, each with all its parameters
 */
export function useChange<Name extends CallName>(name: Name, changes: readonly CallName[]) {
  const client = useQueryClient();
  return useMutation<Answer<Name>, ApiProblem, Parts<Name>>({
    mutationFn: (parts) => call(name, parts),
    onSuccess: () => {
      for (const changed of changes) void client.invalidateQueries({ queryKey: [changed] });
    },
  });
}
