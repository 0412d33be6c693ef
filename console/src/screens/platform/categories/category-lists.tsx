import { useState } from 'react';
import type { CategoryOverview } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Quiet, Row, Stack, Unseen } from '../../../ui/layout';
import { Empty, Problem } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { When } from '../../../ui/when';
import { wholeList } from '../../../ui/whole-list';
import { useDrag } from '../../bundle-editor/use-drag';
import styles from './categories.module.css';
import { CategoryForm } from './category-form';
import { CategoryRow } from './category-row';
import { DeleteDialog } from './delete-dialog';
import { MergeDialog } from './merge-dialog';
import { MoveCategory } from './move-category';
import { type CategoryOrder, useCategoryOrder } from './use-category-order';
import { shown } from '../../../ui/other-text';
import { categoryWords as words } from './words';

export type Opened = 'edit' | 'move' | 'merge' | 'remove';

/** All categories, which can be moved, and what is open for one of them. */
export function CategoryLists({ overview }: { overview: CategoryOverview }) {
  const order = useCategoryOrder(overview);
  const [opened, setOpened] = useState<{ id: number; what: Opened }>();
  const byId = new Map(overview.categories.map((category) => [category.id, category]));
  const items = order.now.flatMap((id, place) => {
    const category = byId.get(id);
    return category ? [{ category, place }] : [];
  });
  const drag = useDrag<number>(({ item, place }) => {
    const from = order.now.indexOf(item);
    const to = place > from ? place - 1 : place;
    const category = byId.get(item);
    if (!category || to === from) return;
    order.move(item, to);
    order.say(words.row.movedTo(shown(category.name), to + 1, items.length));
  });
  const open = opened && byId.get(opened.id);
  const close = () => setOpened(undefined);
  const changed = new Set(order.changed);
  return (
    <Stack>
      <Row between>
        <Quiet>{words.help}</Quiet>
        <Quiet>
          <Counted overview={overview} />
        </Quiet>
      </Row>
      {order.isRebased && (
        <div className={styles.notice} role="alert">
          <strong>{words.order.rebased}</strong>
          <p>{words.order.rebasedHelp}</p>
        </div>
      )}
      <div data-end={items.length}>
        <Rows
          list={wholeList(items)}
          label={words.label}
          keyOf={({ category }) => String(category.id)}
          height={76}
          empty={
            <Empty>
              <p>{words.empty}</p>
              <p>{words.emptyNext}</p>
            </Empty>
          }
          row={({ category, place }) => (
            <CategoryRow
              category={category}
              place={place}
              order={order}
              isMoved={changed.has(category.id)}
              isTarget={drag.target?.place === place}
              handle={drag.handle(category.id)}
              onOpen={(what) => setOpened({ id: category.id, what })}
            />
          )}
        />
        {drag.target?.place === items.length && <div className={styles.end} />}
      </div>
      <Unseen>
        <span role="status">{order.said}</span>
      </Unseen>
      <OrderBar order={order} />
      {open && opened.what === 'edit' && <CategoryForm category={open} onClose={close} />}
      {open && opened.what === 'move' && <MoveCategory category={open} order={order} onClose={close} />}
      {open && opened.what === 'merge' && (
        <MergeDialog category={open} others={overview.categories.filter(({ id }) => id !== open.id)} onClose={close} />
      )}
      {open && opened.what === 'remove' && <DeleteDialog category={open} onClose={close} />}
    </Stack>
  );
}

function Counted({ overview: { categories, counted_at, next_count_at } }: { overview: CategoryOverview }) {
  return (
    <>
      {words.count(categories.length)}
      {'. '}
      {counted_at === null ? (
        words.notCounted
      ) : (
        <>
          {words.countedAt} <When at={counted_at} />.{' '}
          {next_count_at !== null && (
            <>
              {words.countedNext} <When at={next_count_at} />.
            </>
          )}
        </>
      )}
    </>
  );
}

function OrderBar({ order }: { order: CategoryOrder }) {
  if (order.changed.length === 0 && !order.problem) return null;
  return (
    <div className={styles.bar}>
      <Stack gap="tight">
        {order.problem && <Problem error={order.problem} />}
        <Row between>
          <strong>{words.order.changed(order.changed.length)}</strong>
          <Row>
            <Button onClick={order.discard}>{words.order.discard}</Button>
            <Button look="primary" busy={order.isSaving} onClick={() => void order.send()}>
              {words.order.save}
            </Button>
          </Row>
        </Row>
      </Stack>
    </div>
  );
}
