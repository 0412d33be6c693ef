import { type PointerEvent, useRef, useState } from 'react';

/** How near to an edge of the window it scrolls, and by how much for each move, in pixels. */
const EDGE = 60;
const STEP = 16;

/** Where something is being dragged to: before this place of the list (from 0). */
export interface Drop<Item> {
  item: Item;
  place: number;
}

/**
 * Dragging by a pointer to a place of a list whose rows have `data-place`, and which itself has `data-end`.
 *
 * @param onDrop is called with what is dragged, and before which place it was let go
 */
export function useDrag<Item>(onDrop: (drop: Drop<Item>) => void) {
  const [target, setTarget] = useState<Drop<Item>>();
  const latest = useRef<Drop<Item>>(undefined);
  const set = (drop: Drop<Item> | undefined) => {
    latest.current = drop;
    setTarget(drop);
  };
  const handle = (item: Item) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
      if (event.clientY < EDGE) window.scrollBy(0, -STEP);
      if (event.clientY > window.innerHeight - EDGE) window.scrollBy(0, STEP);
      const place = placeAt(event.clientX, event.clientY);
      set(place === undefined ? undefined : { item, place });
    },
    onPointerUp: () => {
      if (latest.current) onDrop(latest.current);
      set(undefined);
    },
    onPointerCancel: () => set(undefined),
  });
  return { target, handle };
}

function placeAt(x: number, y: number): number | undefined {
  const under = document.elementFromPoint(x, y);
  const row = under?.closest<HTMLElement>('[data-place]');
  if (!row) {
    const end = under?.closest<HTMLElement>('[data-end]')?.dataset['end'];
    return end === undefined ? undefined : Number(end);
  }
  const { top, height } = row.getBoundingClientRect();
  return Number(row.dataset['place']) + (y > top + height / 2 ? 1 : 0);
}
