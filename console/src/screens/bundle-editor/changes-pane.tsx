import { useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { TextInput } from '../../ui/field';
import { Row, Section } from '../../ui/layout';
import { ChangesList } from './changes-list';
import styles from './editor.module.css';
import { undone } from './entries';
import { nameOf } from './names';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.changes;
const MAX_NOTE = 500;

interface Props {
  editor: Editor;
  note: string;
  onNote: (note: string) => void;
  isSaving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** What is changed and not saved. */
export function ChangesPane({ editor, note, onNote, isSaving, onSave, onDiscard }: Props) {
  const [isAsking, setAsking] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  if (editor.count === 0) return null;
  return (
    <>
      <div ref={list} tabIndex={-1} className={styles.changes}>
        <Section title={words.title}>
          <ChangesList
            changes={editor.changes}
            action={(entry) => (
              <Button
                aria-label={words.undoOne(nameOf(entry))}
                onClick={() => {
                  editor.change(undone(editor.before, editor.now, entry.id));
                  editor.say(words.undone(nameOf(entry)));
                }}
              >
                {words.undo}
              </Button>
            )}
          />
        </Section>
      </div>
      <div className={styles.bar}>
        <Row between>
          <Button title={words.title} onClick={() => list.current?.focus()}>
            {words.count(editor.count)}
          </Button>
          <div className={styles.note}>
            <TextInput
              label={words.note}
              placeholder={words.noteHint}
              value={note}
              maxLength={MAX_NOTE}
              onChange={(event) => onNote(event.target.value)}
            />
          </div>
          <Row>
            <Button onClick={() => setAsking(true)}>{words.discard}</Button>
            <Button look="primary" busy={isSaving} onClick={onSave}>
              {words.save}
            </Button>
          </Row>
        </Row>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.discardTitle}
        action={words.discard}
        onConfirm={() => {
          setAsking(false);
          onDiscard();
        }}
      >
        <p>{words.discardHelp(editor.count)}</p>
      </ConfirmDialog>
    </>
  );
}
