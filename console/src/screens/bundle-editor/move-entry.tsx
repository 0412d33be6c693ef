import { MoveDialog } from '../../ui/move-dialog';
import type { EditedEntry } from './entries';
import { nameOf } from './names';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.move;

/** Moves an entry without a pointer. */
export function MoveEntry({ editor, entry, onClose }: { editor: Editor; entry: EditedEntry; onClose: () => void }) {
  const count = editor.now.length;
  const name = nameOf(entry);
  const move = (place: number) => {
    editor.move(entry.id, place - 1);
    editor.say(editorWords.list.movedTo(name, place, count));
  };
  const place = editor.now.indexOf(entry) + 1;
  return (
    <MoveDialog title={words.title(name)} words={words} place={place} count={count} onMove={move} onClose={onClose} />
  );
}
