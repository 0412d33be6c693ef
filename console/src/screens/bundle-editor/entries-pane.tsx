import { useEffect, useState } from 'react';
import { Quiet, Section } from '../../ui/layout';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import type { Dragged } from './editor-body';
import styles from './editor.module.css';
import type { EntryFaults } from './entry-faults';
import { EntryRow } from './entry-row';
import { EntrySettings } from './entry-settings';
import { MoveEntry } from './move-entry';
import type { useDrag } from './use-drag';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.list;

interface Props {
  editor: Editor;
  drag: ReturnType<typeof useDrag<Dragged>>;
  faults: EntryFaults;
}

/** The bundle as it will be. */
export function EntriesPane({ editor, drag, faults }: Props) {
  const [opened, setOpened] = useState<{ id: string; what: 'settings' | 'move' }>();
  const [shownFaults, setShownFaults] = useState(faults);
  // What was rejected is opened, with the focus on the first field.
  if (faults !== shownFaults) {
    setShownFaults(faults);
    const [first] = faults.keys();
    if (first !== undefined) setOpened({ id: first, what: 'settings' });
  }
  const open = editor.now.find(({ id }) => id === opened?.id);
  const changed = new Set(editor.changes.changed.map(({ entry }) => entry.id));
  const items = editor.now.map((entry, place) => ({ entry, place }));
  const { target } = drag;
  useEffect(() => {
    if (target === undefined) return undefined;
    document.documentElement.style.cursor = 'grabbing';
    return () => {
      document.documentElement.style.cursor = '';
    };
  }, [target]);
  return (
    <div data-end={items.length}>
      <Section title={words.title} aside={<Quiet>{words.count(items.length)}</Quiet>}>
        <Rows
          list={{ ...ALL, items }}
          label={words.label}
          keyOf={({ entry }) => entry.id}
          height={76}
          empty={
            <Empty>
              <p>{words.empty}</p>
              <p>{words.emptyNext}</p>
            </Empty>
          }
          row={({ entry, place }) => (
            <EntryRow
              editor={editor}
              entry={entry}
              place={place}
              isChanged={changed.has(entry.id)}
              faults={faults.get(entry.id) ?? []}
              handle={drag.handle({ id: entry.id })}
              isTarget={target?.place === place}
              onOpen={(what) => setOpened({ id: entry.id, what })}
            />
          )}
        />
        {target && (
          <div className={styles.end}>
            <Quiet>{words.end}</Quiet>
          </div>
        )}
        {open && opened?.what === 'settings' && (
          <EntrySettings
            editor={editor}
            entry={open}
            faults={faults.get(open.id) ?? []}
            onClose={() => setOpened(undefined)}
          />
        )}
        {open && opened?.what === 'move' && (
          <MoveEntry editor={editor} entry={open} onClose={() => setOpened(undefined)} />
        )}
      </Section>
    </div>
  );
}

/** A list of which everything is there. */
const ALL = {
  data: true,
  error: null,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
  refetch: () => undefined,
};
