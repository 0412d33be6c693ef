import { MAX_COUNTED, MAX_ITEMS, type WaitingPart } from './waiting.dto';

/** @param rows at most `MAX_COUNTED`, each of which waits */
export function waitingPart<Row, Item>(rows: readonly Row[], map: (row: Row) => Item): WaitingPart<Item> {
  return { count: Math.min(rows.length, MAX_COUNTED), items: rows.slice(0, MAX_ITEMS).map(map) };
}

/** @param rows each with how many things of it wait */
export function countedPart<Item extends { count: number }>(rows: readonly Item[]): WaitingPart<Item> {
  const sum = rows.reduce((total, { count }) => total + count, 0);
  return { count: Math.min(sum, MAX_COUNTED), items: rows.slice(0, MAX_ITEMS) };
}
