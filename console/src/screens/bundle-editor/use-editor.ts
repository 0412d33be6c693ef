import { useState } from 'react';
import { useDraft } from '../../ui/draft';
import { changesBetween, countOf, type EditedEntry, isNew, moved } from './entries';

interface Draft {
  /** The version of the bundle that the changes are based on. */
  base: number;
  before: EditedEntry[];
  now: EditedEntry[];
}

/** The bound of the API. */
export const MAX_ENTRIES = 500;

/** The entries of a bundle while they are edited; kept in the tab until they are saved or discarded. */
export function useEditor(bundleId: string, version: number, saved: EditedEntry[]) {
  const [draft, keep, drop] = useDraft<Draft | null>(`bundle-editor.${bundleId}`, null);
  const [said, say] = useState('');
  const { base, before, now } = draft ?? { base: version, before: saved, now: saved };
  const changes = changesBetween(before, now);
  const change = (next: EditedEntry[]) => {
    if (countOf(changesBetween(before, next)) === 0) drop();
    else keep({ base, before, now: next });
  };
  return {
    base,
    before,
    now,
    changes,
    count: countOf(changes),
    said,
    say,
    change,
    discard: drop,
    rebase: (onto: Draft) => keep(onto),
    update: (entry: EditedEntry) => change(now.map((one) => (one.id === entry.id ? entry : one))),
    remove: (id: string) => change(now.filter((one) => one.id !== id)),
    add: (entry: EditedEntry, to = now.length) => {
      // One that was removed and not saved is the same entry as before.
      const former = before.find((one) => one.listing_id !== null && one.listing_id === entry.listing_id);
      if (now.length < MAX_ENTRIES) change(now.toSpliced(to, 0, former ?? entry));
    },
    move: (id: string, to: number) => change(moved(now, id, Math.max(0, Math.min(to, now.length - 1)))),
    isNew,
  };
}

export type Editor = ReturnType<typeof useEditor>;
