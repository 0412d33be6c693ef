import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/client';
import { asProblem, type ApiProblem } from '../../api/problem';
import { useChange } from '../../api/queries';
import type { Bundle } from '../../api/schema';
import { Stack, Unseen } from '../../ui/layout';
import type { ListedServer } from '../../ui/listing-card';
import { useDraft } from '../../ui/draft';
import { shown } from '../../ui/other-text';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { CataloguePane } from './catalogue-pane';
import { ChangesPane } from './changes-pane';
import { ConflictDialog, type Theirs } from './conflict-dialog';
import styles from './editor.module.css';
import { type EditedEntry, editedOf, newEntry, placesOf } from './entries';
import { EntriesPane } from './entries-pane';
import { type EntryFaults, faultsOf } from './entry-faults';
import { LeaveDialog } from './leave-dialog';
import { nameOf } from './names';
import { useDrag } from './use-drag';
import { useEditor } from './use-editor';
import { editorWords as words } from './words';

const SAVE_CHANGES = [
  'GET /v1/bundles/{bundle_id}',
  'GET /v1/bundles',
  'GET /v1/bundles/{bundle_id}/entries',
  'GET /v1/bundles/{bundle_id}/versions',
  'GET /v1/bundles/{bundle_id}/tools',
  'GET /v1/bundles/{bundle_id}/credential-needs',
  'GET /v1/bundles/{bundle_id}/export',
] as const;

/** An entry, or a hit of the catalogue. */
export type Dragged = { id: string } | { listing: ListedServer };

interface Props {
  bundle: Bundle;
  version: number;
  saved: EditedEntry[];
}

/** Both columns, what is changed, and saving it. */
export function EditorBody({ bundle, version, saved }: Props) {
  const editor = useEditor(bundle.id, version, saved);
  const client = useQueryClient();
  const navigate = useNavigate();
  const save = useChange('PUT /v1/bundles/{bundle_id}/entries', SAVE_CHANGES);
  const [problem, setProblem] = useState<ApiProblem>();
  const [faults, setFaults] = useState<EntryFaults>(new Map());
  const [theirs, setTheirs] = useState<Theirs>();
  const [note, keepNote, dropNote] = useDraft(`bundle-editor-note.${bundle.id}`, '');
  const isSaved = useRef(false);

  const add = (listing: ListedServer, to?: number) => {
    editor.add(newEntry(listing), to);
    editor.say(words.catalogue.added(shown(listing.title), (to ?? editor.now.length) + 1));
  };
  const drag = useDrag<Dragged>(({ item, place }) => {
    if ('listing' in item) {
      add(item.listing, place);
      return;
    }
    const { id } = item;
    const from = editor.now.findIndex((entry) => entry.id === id);
    const to = place > from ? place - 1 : place;
    const entry = editor.now[from];
    if (!entry || to === from) return;
    editor.move(id, to);
    editor.say(words.list.movedTo(nameOf(entry), to + 1, editor.now.length));
  });

  const readTheirs = async () => {
    const path = { bundle_id: bundle.id };
    const now = await call('GET /v1/bundles/{bundle_id}', { path });
    if (now.version === editor.base) return false;
    const number = now.version;
    const read = await call('GET /v1/bundles/{bundle_id}/versions/{number}', { path: { ...path, number } });
    setTheirs({ version: number, entries: read.entries.map(editedOf) });
    return true;
  };

  const send = async (base: number, before: readonly EditedEntry[], now: readonly EditedEntry[]) => {
    setProblem(undefined);
    setFaults(new Map());
    try {
      const body = { entries: placesOf(before, now), base_version: base, ...(note !== '' && { note }) };
      const answer = await save.mutateAsync({ path: { bundle_id: bundle.id }, body });
      isSaved.current = true;
      editor.discard();
      dropNote();
      notify(words.changes.saved(answer.version));
      await navigate({ to: '/bundles/$bundleId', params: { bundleId: bundle.id } });
    } catch (error) {
      const failed = asProblem(error);
      try {
        if (failed.status === 409 && (await readTheirs())) return;
      } catch (unread) {
        setProblem(asProblem(unread));
        return;
      }
      setTheirs(undefined);
      setFaults(faultsOf(failed, now));
      setProblem(failed);
    }
  };

  const discard = () => {
    dropNote();
    setProblem(undefined);
    setFaults(new Map());
    editor.discard();
    editor.say(words.changes.discarded);
    void client.invalidateQueries({ queryKey: ['GET /v1/bundles/{bundle_id}'] });
  };

  return (
    <Stack>
      <div className={styles.columns}>
        <CataloguePane editor={editor} onAdd={add} handle={(listing) => drag.handle({ listing })} />
        <EntriesPane editor={editor} drag={drag} faults={faults} />
      </div>
      {problem && <Problem error={problem} />}
      <ChangesPane
        editor={editor}
        note={note}
        onNote={keepNote}
        isSaving={save.isPending}
        onSave={() => void send(editor.base, editor.before, editor.now)}
        onDiscard={discard}
      />
      <p role="status">
        <Unseen>{editor.said}</Unseen>
      </p>
      {theirs && (
        <ConflictDialog
          editor={editor}
          theirs={theirs}
          isSaving={save.isPending}
          onClose={() => setTheirs(undefined)}
          onSave={(merged) => {
            editor.rebase({ base: theirs.version, before: theirs.entries, now: merged });
            void send(theirs.version, theirs.entries, merged);
          }}
        />
      )}
      <LeaveDialog isDirty={() => editor.count > 0 && !isSaved.current} onDiscard={editor.discard} />
    </Stack>
  );
}
