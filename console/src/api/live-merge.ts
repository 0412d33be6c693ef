interface Row {
  /** In the order of the list: later ones are greater. */
  id: string;
}

/** What is known of a list, newest first. */
export interface Known<Item> {
  items: readonly Item[];
  /** Where what is older begins; undefined if all is known. */
  cursor: string | undefined;
}

/**
 * Puts the newest rows before those that are known.
 *
 * @param head the newest rows, read now; rows of it that are known are replaced, since they may have changed
 * @param isGapless whether nothing is missing between the head and what is known; otherwise what is known is given up, and
 *   read again from the end of the head when a person asks for it
 */
export function mergeHead<Item extends Row>(
  known: Known<Item> | undefined,
  head: Known<Item>,
  isGapless: boolean,
): Known<Item> {
  if (!known || !isGapless) return head;
  const last = head.items.at(-1)?.id;
  const rest = last === undefined ? known.items : known.items.filter(({ id }) => id < last);
  // The head has all: it ends where what is known ends, or nothing older is left.
  if (head.cursor === undefined) return head;
  return { items: [...head.items, ...rest], cursor: rest.length === 0 ? head.cursor : known.cursor };
}

/** @returns whether a head reaches what is known, so that nothing is missing between them */
export function reaches<Item extends Row>(known: Known<Item> | undefined, head: Known<Item>): boolean {
  const newest = known?.items[0]?.id;
  if (newest === undefined || head.cursor === undefined) return true;
  return (head.items.at(-1)?.id ?? '') <= newest;
}
