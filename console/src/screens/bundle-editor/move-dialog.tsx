import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextInput } from '../../ui/field';
import { Stack } from '../../ui/layout';
import type { EditedEntry } from './entries';
import { nameOf } from './names';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.move;

/** Moves an entry without a pointer. */
export function MoveDialog({ editor, entry, onClose }: { editor: Editor; entry: EditedEntry; onClose: () => void }) {
  const count = editor.now.length;
  const [place, setPlace] = useState(String(editor.now.indexOf(entry) + 1));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const to = Number(place);
    if (!Number.isInteger(to) || to < 1 || to > count) {
      setWrong(true);
      return;
    }
    editor.move(entry.id, to - 1);
    editor.say(editorWords.list.movedTo(nameOf(entry), to, count));
    onClose();
  };
  return (
    <Dialog open title={words.title(nameOf(entry))} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={words.place}
            hint={words.hint(count)}
            error={isWrong ? words.wrong(count) : undefined}
            inputMode="numeric"
            required
            value={place}
            onChange={(event) => setPlace(event.target.value)}
          />
          <Button type="submit" look="primary">
            {words.action}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
