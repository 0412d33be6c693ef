import type { CategoryOverviewItem } from '../../../api/schema';
import { MoveDialog } from '../../../ui/move-dialog';
import { shown } from '../../../ui/other-text';
import type { CategoryOrder } from './use-category-order';
import { categoryWords } from './words';

const words = categoryWords.move;

interface Props {
  category: CategoryOverviewItem;
  order: CategoryOrder;
  onClose: () => void;
}

/** Moves a category without a pointer. */
export function MoveCategory({ category, order, onClose }: Props) {
  const count = order.now.length;
  const name = shown(category.name);
  const move = (place: number) => {
    order.move(category.id, place - 1);
    order.say(categoryWords.row.movedTo(name, place, count));
  };
  const place = order.now.indexOf(category.id) + 1;
  return (
    <MoveDialog title={words.title(name)} words={words} place={place} count={count} onMove={move} onClose={onClose} />
  );
}
