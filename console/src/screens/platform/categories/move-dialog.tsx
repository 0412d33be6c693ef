import { type FormEvent, useState } from 'react';
import type { CategoryOverviewItem } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextInput } from '../../../ui/field';
import { Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import type { CategoryOrder } from './use-category-order';
import { categoryWords } from './words';

const words = categoryWords.move;

interface Props {
  category: CategoryOverviewItem;
  order: CategoryOrder;
  onClose: () => void;
}

/** Moves a category to a position that is typed. */
export function MoveDialog({ category, order, onClose }: Props) {
  const count = order.now.length;
  const name = shown(category.name);
  const [place, setPlace] = useState(String(order.now.indexOf(category.id) + 1));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const to = Number(place);
    if (!Number.isInteger(to) || to < 1 || to > count) {
      setWrong(true);
      return;
    }
    order.move(category.id, to - 1);
    order.say(categoryWords.row.movedTo(name, to, count));
    onClose();
  };
  return (
    <Dialog open title={words.title(name)} onClose={onClose}>
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
