import { useQuery } from '@tanstack/react-query';
import { callPart } from '../../../api/client';
import type { Bundle, PolicyDecision, PolicyPreview, PolicyPreviewedKind } from '../../../api/schema';
import type { Rules } from './policies-diff';

const LIMIT = 100;
/** More are not compared, and the page says so. */
const MAX_PAGES = 20;

/** In whose place one looks. */
export interface Place {
  as: PolicyPreviewedKind;
  id: string;
}

/** A preview with all of its pages, as far as they are read. */
export interface WholePreview {
  allowed: number;
  decisions: PolicyDecision[];
  isCut: boolean;
}

type ReadPage = (cursor: string | undefined) => Promise<{ answer: PolicyPreview; cursor: string | undefined }>;

async function whole(readPage: ReadPage): Promise<WholePreview> {
  let { answer, cursor } = await readPage(undefined);
  const decisions = [...answer.decisions];
  for (let page = 1; cursor !== undefined && page < MAX_PAGES; page++) {
    ({ answer, cursor } = await readPage(cursor));
    decisions.push(...answer.decisions);
  }
  return { allowed: answer.allowed_tool_count, decisions, isCut: cursor !== undefined };
}

const NOW = 'GET /v1/bundles/{bundle_id}/endpoint/preview';
const AFTER = 'POST /v1/bundles/{bundle_id}/policies/preview';

/** What a person may use now. */
export function usePreviewNow(bundle: Bundle, place: Place | undefined) {
  const path = { bundle_id: bundle.id };
  return useQuery({
    queryKey: [NOW, path, place],
    queryFn: ({ signal }) =>
      whole((cursor) => callPart(NOW, { path, query: { ...place, limit: LIMIT, ...(cursor && { cursor }) } }, signal)),
    enabled: place !== undefined,
  });
}

/** What they could use by rules that are proposed. */
export function usePreviewAfter(bundle: Bundle, place: Place | undefined, proposed: Rules | undefined) {
  const path = { bundle_id: bundle.id };
  return useQuery({
    queryKey: [AFTER, path, place, proposed],
    queryFn: ({ signal }) => {
      if (!place || !proposed) throw new Error('It is asked only with a place and rules.');
      const body = { ...place, default_access: proposed.default_access, rules: [...proposed.rules] };
      return whole((cursor) =>
        callPart(AFTER, { path, query: { limit: LIMIT, ...(cursor && { cursor }) }, body }, signal),
      );
    },
    enabled: place !== undefined && proposed !== undefined,
    // Servers may have changed in between, and the saved rules, too.
    staleTime: 0,
  });
}
