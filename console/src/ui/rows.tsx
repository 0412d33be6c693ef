import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useState } from 'react';
import { t } from '../messages/text';
import { Button } from './button';
import { Problem, Skeleton } from './problem';
import { classes } from './layout';
import styles from './rows.module.css';

/** From here on only what is on the screen is in the page; where scrolling reads on, from the start: no row is then drawn twice. */
const MAX_RENDERED = 200;
const OVERSCAN = 12;

interface Listed<Item> {
  items: readonly Item[];
  data: unknown;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface RowsProps<Item> {
  /** What `useList` gave. */
  list: Listed<Item>;
  keyOf: (item: Item) => string;
  row: (item: Item) => ReactNode;
  /** What it is a list of, for those who hear the page. */
  label: string;
  /** What is shown if nothing is in it. */
  empty: ReactNode;
  /** The height of a row in pixels, about. */
  height?: number;
  /** Whether the next page is read when its button comes near, as one scrolls. */
  readsOn?: boolean;
}

/** A list of any length: pages are read on demand, and long ones are windowed. */
export function Rows<Item>({ list, empty, readsOn, ...rest }: RowsProps<Item>) {
  if (list.data === undefined) {
    return list.error ? <Problem error={list.error} onRetry={() => void list.refetch()} /> : <Skeleton lines={6} />;
  }
  if (list.items.length === 0) return empty;
  return (
    <>
      {readsOn === true || list.items.length > MAX_RENDERED ? (
        <Windowed items={list.items} {...rest} />
      ) : (
        <ul className={styles.list} aria-label={rest.label}>
          {list.items.map((item) => (
            <li key={rest.keyOf(item)}>{rest.row(item)}</li>
          ))}
        </ul>
      )}
      <More list={list} {...(readsOn && { readsOn })} />
    </>
  );
}

/** The button for the next page of a list, and what went wrong with it. */
export function More<Item>({ list, readsOn }: { list: Listed<Item>; readsOn?: boolean }) {
  if (list.error) return <Problem error={list.error} onRetry={() => void list.fetchNextPage()} />;
  if (!list.hasNextPage) return null;
  return (
    <div className={styles.more} ref={readsOn && !list.isFetchingNextPage ? whenNear(list.fetchNextPage) : null}>
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage ? t.ui.loadingMore : t.ui.loadMore}
      </Button>
    </div>
  );
}

/** How far below the window the end of the list is when the next page is read, so that nobody waits for it. */
const NEAR = '600px';

const whenNear = (read: () => unknown) => (element: HTMLElement | null) => {
  if (!element) return undefined;
  const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void read(), { rootMargin: NEAR });
  observer.observe(element);
  return () => observer.disconnect();
};

type WindowedProps<Item> = Omit<RowsProps<Item>, 'list' | 'empty'> & { items: readonly Item[] };

function Windowed<Item>({ items, keyOf, row, label, height = 64 }: WindowedProps<Item>) {
  const [top, setTop] = useState(0);
  const measureTop = useCallback((list: HTMLElement | null) => {
    if (!list) return undefined;
    // What is above the list can come later, or go.
    const observer = new ResizeObserver(() => setTop(list.getBoundingClientRect().top + window.scrollY));
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // Heights belong to rows, and not to their places: one can be added above them.
  const getItemKey = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    [items, keyOf],
  );
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey,
  });
  return (
    <ul
      ref={measureTop}
      className={classes(styles.list, styles.windowed)}
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const item = items[index];
        return (
          item !== undefined && (
            <li
              key={keyOf(item)}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - virtualizer.options.scrollMargin}px)` }}
            >
              {row(item)}
            </li>
          )
        );
      })}
    </ul>
  );
}
