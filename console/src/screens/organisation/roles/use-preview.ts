import { useQuery } from '@tanstack/react-query';
import { callPart } from '../../../api/client';
import type { SyncProposal } from '../../../api/schema';
import { usePaused } from '../../../ui/use-paused';

const PREVIEW = 'POST /v1/organisations/{org_id}/scim/sync/preview';
/** The names that are shown; the counts are of everyone. */
export const MAX_NAMES = 100;
/** An organisation may preview 30 times in a minute, so the page waits until a person has chosen. */
const PAUSE_MS = 600;

/**
 * Who would get another role. Nothing is repeated by itself: each preview counts.
 *
 * @param proposal undefined as long as there is nothing to ask
 */
export function usePreview(orgId: string, proposal: SyncProposal | undefined) {
  const text = JSON.stringify(proposal);
  const rested = usePaused(text, PAUSE_MS);
  const read = useQuery({
    queryKey: [PREVIEW, orgId, rested],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(rested ?? '{}') as SyncProposal;
      const { answer } = await callPart(
        PREVIEW,
        { path: { org_id: orgId }, query: { limit: MAX_NAMES }, body },
        signal,
      );
      return answer;
    },
    enabled: rested !== undefined,
    // The directory may change at any time: what was foretold holds for the form that is open, and no longer.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const isCurrent = text === rested;
  return { ...read, data: isCurrent ? read.data : undefined, error: isCurrent ? read.error : null };
}
