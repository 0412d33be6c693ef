import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client';
import { type ApiProblem, asProblem } from '../../../api/problem';
import { useChange } from '../../../api/queries';
import type { CategoryOverview } from '../../../api/schema';
import { useDraft } from '../../../ui/draft';
import { notify } from '../../../ui/toasts';
import { moved, movedIds, rebased } from './order';
import { categoryWords as words } from './words';

interface Draft {
  /** The order that the moves began with. */
  before: number[];
  now: number[];
}

const OVERVIEW = 'GET /v1/mcp/categories/overview';
/** What shows categories. */
export const CATEGORY_CHANGES = [OVERVIEW, 'GET /v1/mcp/categories', 'GET /v1/mcp/listings/facets'] as const;

/** The order of the categories while it is changed; kept in the tab until it is saved or discarded. */
export function useCategoryOrder({ categories }: CategoryOverview) {
  const saved = categories.map(({ id }) => id);
  const [draft, keep, drop] = useDraft<Draft | null>('categories.order', null);
  const [isRebased, setRebased] = useState(false);
  const [said, say] = useState('');
  const [problem, setProblem] = useState<ApiProblem>();
  const client = useQueryClient();
  const save = useChange('PUT /v1/mcp/categories/order', CATEGORY_CHANGES);
  // What this tab has created or deleted meanwhile belongs to the order, too.
  const isCurrent = draft === null || [...draft.before].sort().join() === [...saved].sort().join();
  const before = draft === null ? saved : isCurrent ? draft.before : saved;
  const now = draft === null ? saved : isCurrent ? draft.now : rebased(draft.before, draft.now, saved);
  const set = (next: { before: number[]; now: number[] }) => {
    if (next.now.join() === next.before.join()) drop();
    else keep(next);
  };

  const send = async () => {
    setProblem(undefined);
    try {
      await save.mutateAsync({ body: { order: now, former_order: before } });
      drop();
      setRebased(false);
      notify(words.order.saved);
    } catch (error) {
      const failed = asProblem(error);
      if (failed.status !== 409) {
        setProblem(failed);
        return;
      }
      try {
        const theirs = await call(OVERVIEW, {});
        client.setQueryData([OVERVIEW, null, null], theirs);
        const current = theirs.categories.map(({ id }) => id);
        set({ before: current, now: rebased(before, now, current) });
        setRebased(true);
      } catch (unread) {
        setProblem(asProblem(unread));
      }
    }
  };

  return {
    now,
    changed: movedIds(before, now),
    isRebased,
    isSaving: save.isPending,
    problem,
    said,
    say,
    send,
    move: (id: number, to: number) => set({ before, now: moved(now, id, to) }),
    discard: () => {
      drop();
      setRebased(false);
      setProblem(undefined);
    },
  };
}

export type CategoryOrder = ReturnType<typeof useCategoryOrder>;
