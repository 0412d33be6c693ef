/** @returns the list with one id at another place, from 0 */
export function moved(order: readonly number[], id: number, to: number): number[] {
  const place = Math.max(0, Math.min(to, order.length - 1));
  return order.includes(id) ? order.filter((one) => one !== id).toSpliced(place, 0, id) : [...order];
}

/**
 * @returns the ids that were moved from one order to the other: the fewest whose moves make the one of the other, so that those
 *   that only made room for them do not count
 */
export function movedIds(before: readonly number[], after: readonly number[]): number[] {
  const placeBefore = new Map(before.map((id, place) => [id, place]));
  const places = after.map((id) => placeBefore.get(id) ?? -1);
  // The longest rising sequence stays where it is.
  const lengths: number[] = [];
  const former: number[] = [];
  places.forEach((place, index) => {
    lengths[index] = 1;
    former[index] = -1;
    for (let other = 0; other < index; other++) {
      const length = (lengths[other] ?? 0) + 1;
      if ((places[other] ?? 0) < place && length > (lengths[index] ?? 0)) {
        lengths[index] = length;
        former[index] = other;
      }
    }
  });
  const stays = new Set<number>();
  for (let at = lengths.indexOf(Math.max(...lengths)); at >= 0; at = former[at] ?? -1) stays.add(at);
  return after.filter((_, index) => !stays.has(index));
}

/**
 * Puts one's own moves on top of what others have changed meanwhile.
 *
 * @param before the order that the moves began with
 * @param mine the order after them
 * @param theirs the order now, perhaps with other categories
 */
export function rebased(before: readonly number[], mine: readonly number[], theirs: readonly number[]): number[] {
  const own = new Set(movedIds(before, mine).filter((id) => theirs.includes(id)));
  let order = theirs.filter((id) => !own.has(id));
  // From the first on, so that the one before each of them is in its place already.
  mine.forEach((id, place) => {
    if (!own.has(id)) return;
    const previous = mine.slice(0, place).findLast((one) => order.includes(one));
    order = order.toSpliced(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
  });
  return order;
}
