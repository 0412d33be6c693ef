import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';

/** How long it is remembered where no part of the page shows it. */
const FORGOTTEN_AFTER_MS = 5 * 60_000;

/**
 * The access token of a bundle that was just created, for the settings of a client in another tab. It is in the memory
 * of the page only, and soon forgotten.
 */
export function useNewToken(bundleId: string) {
  const client = useQueryClient();
  const queryKey = ['new token', bundleId];
  const { data } = useQuery<string>({
    queryKey,
    queryFn: skipToken,
    gcTime: FORGOTTEN_AFTER_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    token: data,
    keep: (token: string) => client.setQueryData(queryKey, token),
    forget: () => void client.resetQueries({ queryKey, exact: true }),
  };
}
