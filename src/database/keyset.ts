import { type FindManyOptions, type FindOptionsOrder, type FindOptionsWhere, LessThan, MoreThan } from 'typeorm';
import { firstIdAt, GREATEST_ID, MIN_ID } from './id';

/** The part of a list that is wanted; an open page of `http/requests/page.ts` is one. */
interface KeysetPage {
  /** How many rows at most. */
  readonly take: number;
  /** The id that the row before the first has; null from the beginning of the list. */
  readonly after: string | null;
}

/**
 * What a repository has to find for a page of a list in the order of its ids, which are those of creation (`id.ts`): the
 * newest first.
 *
 * @param where which rows the list has
 */
export function newestFirst<E extends { id: string }>(
  where: NoInfer<FindOptionsWhere<E>>,
  { take, after }: KeysetPage,
): FindManyOptions<E> {
  return byId(after === null ? where : { ...where, id: LessThan(after) }, 'DESC', take);
}

/** The same, oldest first. */
export function oldestFirst<E extends { id: string }>(
  where: NoInfer<FindOptionsWhere<E>>,
  { take, after }: KeysetPage,
): FindManyOptions<E> {
  return byId(after === null ? where : { ...where, id: MoreThan(after) }, 'ASC', take);
}

function byId<E extends { id: string }>(
  where: FindOptionsWhere<E>,
  id: 'ASC' | 'DESC',
  take: number,
): FindManyOptions<E> {
  return { where, order: { id } as FindOptionsOrder<E>, take };
}

/**
 * The bounds of a page, newest first, of the rows of a time: their ids contain when they were created.
 *
 * @param from instants; undefined: since ever, and without an end
 * @returns the least id of the time, and the id before which the page begins
 */
export function idsWithin(
  { from, to }: { readonly from?: string; readonly to?: string },
  after: string | null,
): [first: string, end: string] {
  const first = from === undefined ? MIN_ID : firstIdAt(new Date(from));
  const end = to === undefined ? GREATEST_ID : firstIdAt(new Date(to));
  return [first, after !== null && after < end ? after : end];
}
