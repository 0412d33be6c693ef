import { useState } from 'react';
import { Button } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { Dialog } from '../../ui/dialog';
import { Quiet, Row, Stack } from '../../ui/layout';
import { ChangesList } from './changes-list';
import { changesBetween, type EditedEntry } from './entries';
import { type Choices, type Conflict, merge, type Side } from './merge';
import { fieldName, nameOf, valueText } from './names';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.conflict;

export interface Theirs {
  version: number;
  entries: EditedEntry[];
}

interface Props {
  editor: Editor;
  theirs: Theirs;
  isSaving: boolean;
  onClose: () => void;
  onSave: (merged: EditedEntry[]) => void;
}

/** What another person saved meanwhile, and how it goes together with mine. */
export function ConflictDialog({ editor, theirs, isSaving, onClose, onSave }: Props) {
  const [choices, setChoices] = useState<Choices>({});
  const { entries, conflicts } = merge(editor.before, editor.now, theirs.entries, choices);
  const left = conflicts.filter(({ id }) => choices[id] === undefined).length;
  return (
    <Dialog open wide title={words.title} onClose={onClose}>
      <Stack>
        <p>{words.help(theirs.version)}</p>
        <h3>{words.theirs}</h3>
        <ChangesList changes={changesBetween(editor.before, theirs.entries)} />
        <h3>{editorWords.changes.title}</h3>
        <ChangesList changes={editor.changes} />
        <p>{conflicts.length === 0 ? words.allMerged : words.choose}</p>
        {conflicts.map((conflict) => (
          <Choice<Side | ''>
            key={conflict.id}
            legend={legendOf(conflict)}
            value={choices[conflict.id] ?? ''}
            options={optionsOf(conflict)}
            onChange={(side) => side !== '' && setChoices({ ...choices, [conflict.id]: side })}
          />
        ))}
        <Row>
          <Button look="primary" busy={isSaving} disabled={left > 0} onClick={() => onSave(entries)}>
            {words.go}
          </Button>
          {left > 0 && (
            <span role="status">
              <Quiet>{words.left(left)}</Quiet>
            </span>
          )}
        </Row>
      </Stack>
    </Dialog>
  );
}

function legendOf(conflict: Conflict): string {
  if (conflict.kind === 'order') return words.order;
  const name = nameOf(conflict.entry);
  if (conflict.kind === 'field') return words.field(name, fieldName(conflict.path));
  return conflict.by === 'mine' ? words.removedByMe(name) : words.removedByThem(name);
}

function optionsOf(conflict: Conflict): (readonly [Side, string])[] {
  if (conflict.kind === 'order') {
    return [
      ['mine', words.myOrder],
      ['theirs', words.theirOrder],
    ];
  }
  if (conflict.kind === 'field') {
    return [
      ['mine', words.mine(valueText(conflict.path, conflict.mine))],
      ['theirs', words.theirsIs(valueText(conflict.path, conflict.theirs))],
    ];
  }
  const remover = conflict.by;
  return [
    [remover === 'mine' ? 'theirs' : 'mine', words.keepIt],
    [remover, words.removeIt],
  ];
}
