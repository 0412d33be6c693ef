import type { ReactNode } from 'react';
import { Lines, Quiet, Row } from '../../ui/layout';
import { OtherText } from '../../ui/other-text';
import styles from './editor.module.css';
import type { Changes, EditedEntry } from './entries';
import { fieldName, nameOf, valueText } from './names';
import { editorWords } from './words';

const words = editorWords.changes;

interface Props {
  changes: Changes;
  action?: (entry: EditedEntry) => ReactNode;
}

/** How two states of a bundle differ, entry by entry. */
export function ChangesList({ changes, action }: Props) {
  const { added, removed, moved, changed } = changes;
  const row = (word: string, entry: EditedEntry, more?: ReactNode) => (
    <li key={`${word} ${entry.id}`}>
      <Row between>
        <span>
          {word}: <OtherText>{nameOf(entry)}</OtherText>
        </span>
        {action?.(entry)}
      </Row>
      {more}
    </li>
  );
  return (
    <Lines label={words.title}>
      {added.map((entry) => row(words.added, entry))}
      {removed.map((entry) => row(words.removed, entry))}
      {moved.map(({ entry, from, to }) => row(words.moved, entry, <Quiet>{words.fromTo(from, to)}</Quiet>))}
      {changed.map(({ entry, fields }) =>
        row(
          words.changed,
          entry,
          <ul className={styles.values}>
            {fields.map(({ path, before, after }) => (
              <li key={path}>
                <OtherText>{fieldName(path)}</OtherText>: <del>{valueText(path, before)}</del> →{' '}
                <ins>{valueText(path, after)}</ins>
              </li>
            ))}
          </ul>,
        ),
      )}
    </Lines>
  );
}
