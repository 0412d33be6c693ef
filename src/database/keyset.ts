import { type FindManyOptions, type FindOptionsOrder, type FindOptionsWhere, LessThan, MoreThan } from 'typeorm';
import { firstIdAt, GREATEST_ID, MIN_ID } from './id';

/** A part of a list; an open page of `http/requests/page.ts` is one. */
interface KeysetPage {
  /** The maximum number of rows. */
  readonly take: number;
  /** The id of the last row before it; null at the beginning of the list. */
  readonly after: string | null;
}

/**
 * The options with which a repository finds a page of a list, newest first. Ids are in the order of creation (`id.ts`).
 *
 * @param where the condition for rows of the list
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
 * The bounds of a page, newest first, of rows that were created in a period: ids contain the time of creation.
 *
 * @param from the beginning of the period, as an ISO date; undefined: none
 * @param to its end, which does not belong to it; undefined: none
 * @param after the id of the last row of the previous page
 * @returns the least id that the page may have, and one that is greater than all of them
 */
export function idsWithin(
  { from, to }: { readonly from?: string; readonly to?: string },
  after: string | null,
): [first: string, end: string] {
  const first = from === undefined ? MIN_ID : firstIdAt(new Date(from));
  const end = to === undefined ? GREATEST_ID : firstIdAt(new Date(to));
  return [first, after !== null && after < end ? after : end];
}
