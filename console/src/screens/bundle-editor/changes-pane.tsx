import { Button } from '../../ui/button';
import { Row, Section } from '../../ui/layout';
import { ChangesList } from './changes-list';
import styles from './editor.module.css';
import { undone } from './entries';
import { nameOf } from './names';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.changes;

interface Props {
  editor: Editor;
  isSaving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** What is changed and not saved. */
export function ChangesPane({ editor, isSaving, onSave, onDiscard }: Props) {
  if (editor.count === 0) return null;
  return (
    <>
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
      <div className={styles.bar}>
        <Row between>
          <span>{words.count(editor.count)}</span>
          <Row>
            <Button onClick={onDiscard}>{words.discard}</Button>
            <Button look="primary" busy={isSaving} onClick={onSave}>
              {words.save}
            </Button>
          </Row>
        </Row>
      </div>
    </>
  );
}
