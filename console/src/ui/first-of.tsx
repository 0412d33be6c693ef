import { type ReactNode, useState } from 'react';
import { number, t } from '../messages/text';
import { Button } from './button';

/** The largest known tool takes 60 arguments. */
const MAX_FIRST = 100;

interface Props<Item> {
  items: readonly Item[];
  children: (shown: readonly Item[]) => ReactNode;
}

/** The first of many, and a button for the others, so that a definition of 10,000 arguments does not hold up the page. */
export function FirstOf<Item>({ items, children }: Props<Item>) {
  const [showsAll, setShowsAll] = useState(false);
  const isCut = items.length > MAX_FIRST && !showsAll;
  return (
    <>
      {children(isCut ? items.slice(0, MAX_FIRST) : items)}
      {isCut && <Button onClick={() => setShowsAll(true)}>{t.ui.showAll(number(items.length))}</Button>}
    </>
  );
}
