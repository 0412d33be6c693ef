import type { HTMLAttributes } from 'react';
import { flushSync } from 'react-dom';
import type { CategoryOverviewItem } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { classes, Quiet } from '../../../ui/layout';
import { Menu, MenuItem } from '../../../ui/menu';
import { OtherText, shown } from '../../../ui/other-text';
import styles from './categories.module.css';
import type { Opened } from './category-lists';
import type { CategoryOrder } from './use-category-order';
import { categoryWords } from './words';

const words = categoryWords.row;

interface Props {
  category: CategoryOverviewItem;
  place: number;
  order: CategoryOrder;
  isMoved: boolean;
  /** Whether something is dragged to before it. */
  isTarget: boolean;
  handle: HTMLAttributes<HTMLElement>;
  onOpen: (what: Opened) => void;
}

/** A category, with what can be done with it. One with listings is merged; only an empty one can be deleted. */
export function CategoryRow({ category, place, order, isMoved, isTarget, handle, onOpen }: Props) {
  const { id, slug, description, listings, mcp_count } = category;
  const name = shown(category.name);
  const last = order.now.length - 1;
  const move = (to: number, button: string) => {
    // A node that changes its place loses the focus.
    flushSync(() => order.move(id, to));
    order.say(words.movedTo(name, to + 1, order.now.length));
    document.getElementById(`${button} category ${id}`)?.focus();
  };
  return (
    <div className={classes(styles.line, isTarget && styles.before)} data-place={place}>
      <span className={styles.handle} title={words.drag(name)} {...handle}>
        <Icon name="drag" />
      </span>
      <div className={styles.grow}>
        <span className={styles.name}>
          {place + 1}. <OtherText>{category.name}</OtherText>
        </span>{' '}
        <code>{shown(slug)}</code> {isMoved && <Badge tone="accent">{words.isMoved}</Badge>}
        {description !== '' && (
          <>
            <br />
            <Quiet>
              <OtherText>{description}</OtherText>
            </Quiet>
          </>
        )}
      </div>
      <div className={styles.counts}>
        {words.listings(listings)}
        <br />
        <Quiet>{words.isPublic(mcp_count)}</Quiet>
      </div>
      <div className={styles.actions}>
        <Button
          icon="up"
          id={`up category ${id}`}
          look="plain"
          aria-label={words.up(name)}
          aria-disabled={place === 0 || undefined}
          onClick={() => place > 0 && move(place - 1, 'up')}
        />
        <Button
          icon="down"
          id={`down category ${id}`}
          look="plain"
          aria-label={words.down(name)}
          aria-disabled={place === last || undefined}
          onClick={() => place < last && move(place + 1, 'down')}
        />
        <Button icon="pencil" look="plain" aria-label={words.edit(name)} onClick={() => onOpen('edit')} />
        <Menu trigger={<Button icon="menu" look="plain" aria-label={words.more(name)} />}>
          <MenuItem icon="drag" onClick={() => onOpen('move')}>
            {words.moveTo}
          </MenuItem>
          <MenuItem icon="right" onClick={() => onOpen('merge')}>
            {words.merge}
          </MenuItem>
          {listings === 0 && (
            <MenuItem icon="trash" onClick={() => onOpen('remove')}>
              {words.remove}
            </MenuItem>
          )}
        </Menu>
      </div>
    </div>
  );
}
