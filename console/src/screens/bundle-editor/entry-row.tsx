import type { HTMLAttributes } from 'react';
import { flushSync } from 'react-dom';
import type { Fault } from '../../api/problem';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { classes, Quiet, Row } from '../../ui/layout';
import { Menu, MenuItem } from '../../ui/menu';
import { OtherText, shown } from '../../ui/other-text';
import styles from './editor.module.css';
import { type EditedEntry, isNew, undone } from './entries';
import { nameOf } from './names';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.list;

interface Props {
  editor: Editor;
  entry: EditedEntry;
  place: number;
  isChanged: boolean;
  faults: readonly Fault[];
  handle: HTMLAttributes<HTMLElement>;
  /** Whether something is dragged to before it. */
  isTarget: boolean;
  onOpen: (what: 'settings' | 'move') => void;
}

/** An entry, with what can be done with it. */
export function EntryRow({ editor, entry, place, isChanged, faults, handle, isTarget, onOpen }: Props) {
  const name = nameOf(entry);
  const move = (to: number, button: string) => {
    // A node that changes its place loses the focus.
    flushSync(() => editor.move(entry.id, to));
    editor.say(words.movedTo(name, to + 1, editor.now.length));
    document.getElementById(`${button} ${entry.id}`)?.focus();
  };
  return (
    <div className={classes(styles.line, isTarget && styles.before)} data-place={place}>
      <span className={styles.handle} title={words.drag(name)} {...handle}>
        <Icon name="drag" />
      </span>
      <div className={styles.grow}>
        <span className={styles.name}>
          {place + 1}. <OtherText>{name}</OtherText>
        </span>
        <br />
        <Quiet>{entry.listing_id === null ? editorWords.unseenHelp : versionText(entry)}</Quiet>
        <Row>
          {isNew(entry) && <Badge tone="accent">{words.isNew}</Badge>}
          {isChanged && <Badge tone="accent">{words.changed}</Badge>}
          {!entry.is_enabled && <Badge icon="pause">{words.disabled}</Badge>}
          {!entry.is_available && entry.listing_id !== null && (
            <span title={words.unavailableHelp}>
              <Badge tone="warn" icon="alert">
                {words.unavailable}
              </Badge>
            </span>
          )}
          {faults.length > 0 && (
            <Badge tone="bad" icon="alert">
              {words.hasError}
            </Badge>
          )}
        </Row>
        {faults.map(({ loc, msg }) => (
          <p key={loc.join('.')} className={styles.error}>
            {shown(`${loc.join('.')}: ${msg}`)}
          </p>
        ))}
      </div>
      <div className={styles.actions}>
        <Button
          icon="up"
          id={`up ${entry.id}`}
          look="plain"
          aria-label={words.up(name)}
          aria-disabled={place === 0 || undefined}
          onClick={() => place > 0 && move(place - 1, 'up')}
        />
        <Button
          icon="down"
          id={`down ${entry.id}`}
          look="plain"
          aria-label={words.down(name)}
          aria-disabled={place === editor.now.length - 1 || undefined}
          onClick={() => place < editor.now.length - 1 && move(place + 1, 'down')}
        />
        {entry.listing_id !== null && (
          <Button icon="pencil" look="plain" aria-label={words.settingsOf(name)} onClick={() => onOpen('settings')} />
        )}
        <Menu trigger={<Button icon="menu" look="plain" aria-label={words.more(name)} />}>
          <MenuItem icon="drag" onClick={() => onOpen('move')}>
            {words.moveTo}
          </MenuItem>
          {entry.listing_id !== null && (
            <MenuItem
              icon={entry.is_enabled ? 'pause' : 'play'}
              onClick={() => editor.update({ ...entry, is_enabled: !entry.is_enabled })}
            >
              {entry.is_enabled ? words.disable : words.enable}
            </MenuItem>
          )}
          {isChanged && (
            <MenuItem icon="refresh" onClick={() => editor.change(undone(editor.before, editor.now, entry.id))}>
              {words.undo}
            </MenuItem>
          )}
          <MenuItem
            icon="trash"
            onClick={() => {
              editor.remove(entry.id);
              editor.say(words.removed(name));
            }}
          >
            {words.remove}
          </MenuItem>
        </Menu>
      </div>
    </div>
  );
}

function versionText({ version, listing_version }: EditedEntry): string {
  return version === null ? words.newest(shown(listing_version ?? '')) : words.pinned(shown(version));
}
