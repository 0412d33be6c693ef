import { Injectable } from '@nestjs/common';
import { FormatField, IntegerField } from './fields';
import { Cursors } from './cursor';
import { ValidationError } from '../../errors/errors';

/**
 * The `format` of cursors: created by this installation. A tampered one is reported with all other errors of the
 * request, before any look-up; whether it belongs to this list is checked by `Pages.open`.
 */
export const CURSOR_FORMAT = 'cursor';

/** The query of every list of our own (contract, section 1). */
export class PageQuery {
  @IntegerField({ min: 1, max: 100, default: 30, required: false, description: 'The maximum number of rows.' })
  limit: number;

  @FormatField(CURSOR_FORMAT, {
    required: false,
    description:
      'From the `Link` header of the previous page. It contains the filter, so no other parameter has to be repeated. Empty: the first page.',
  })
  cursor?: string;
}

/**
 * The size in bytes at which a page of rows of any size ends, whatever its `limit` (contract, section 12.4); a larger
 * row is a page by itself. The statement decides by the sizes of its rows, so that nothing is read that is not sent.
 */
export const MAX_PAGE_BYTES = 1_048_576;

/** A page of rows, and where the next one begins. */
export interface Page<T> {
  items: T[];
  /** Undefined on the last page. */
  next?: string;
}

/** The filter of a list, as its cursors carry it. */
export type Filter = Record<string, string | undefined>;

/** The rows of a page that a list requests from the database. */
export interface PageRequest<F extends Filter = Filter> {
  /** One row more than the page holds, to see whether there is a next page. */
  readonly take: number;
  /** The position of the last row of the previous page, normally its id; null on the first page. */
  readonly after: string | null;
  readonly filter: F;
}

/** The place of a row in the order of its list: its id, or the values that the list is ordered by, as JSON keeps them. */
type Position = string | readonly unknown[];

/**
 * A page of a list from `Pages.open`, before anything is looked up, to `close`, once its rows were read:
 *
 * ```ts
 * const page = this.pages.open(LIST, query, { org: orgId });
 * const rows = await many<ThingRow>(this.dataSource, NEWEST_FIRST, [orgId, page.after, page.take]);
 * return page.close(rows, toThing);
 * ```
 *
 * A repository reads the rows with `find(newestFirst({ orgId }, page))` (`database/keyset.ts`).
 */
export class OpenPage<F extends Filter = Filter> implements PageRequest<F> {
  readonly take: number;
  readonly after: string | null;
  readonly filter: F;

  constructor(
    private readonly cursors: Cursors,
    private readonly list: string,
    { take, after, filter }: PageRequest<F>,
  ) {
    this.take = take;
    this.after = after;
    this.filter = filter;
  }

  /** @returns the position of the last row of the previous page, if `close` got it as an array; null on the first page */
  position<P extends readonly unknown[]>(): P | null {
    return this.after === null ? null : (JSON.parse(this.after) as P);
  }

  /**
   * @param rows at most `take` of them
   * @param map row to output
   * @param position of a row in the order of the list; by default its id
   */
  close<R extends { id: string }, T>(rows: readonly R[], map: (row: R) => T): Page<T>;
  close<R, T>(rows: readonly R[], map: (row: R) => T, position: (row: R) => Position): Page<T>;
  close<R, T>(rows: readonly R[], map: (row: R) => T, position: (row: R) => Position = idOf): Page<T> {
    const hasMore = rows.length >= this.take;
    return this.end(hasMore ? rows.slice(0, this.take - 1) : rows, hasMore, map, position);
  }

  /**
   * The same for a statement that ends its pages by the size of their rows, too (`MAX_PAGE_BYTES`).
   *
   * @param rows all rows of the page; `is_last` of the last one says whether the list ends there
   */
  closeSized<R extends { is_last: boolean }, T>(
    rows: readonly R[],
    map: (row: R) => T,
    position: (row: R) => Position,
  ): Page<T> {
    return this.end(rows, rows.at(-1)?.is_last === false, map, position);
  }

  /** @returns the cursor of what follows a row at this position, for a list that ends its pages by other rules */
  cursorAfter(after: string): string {
    return this.cursors.encode(this.list, { after, filter: this.filter });
  }

  private end<R, T>(
    shown: readonly R[],
    hasMore: boolean,
    map: (row: R) => T,
    position: (row: R) => Position,
  ): Page<T> {
    const items = shown.map((row) => map(row));
    const last = shown.at(-1);
    if (!hasMore || last === undefined) return { items, next: undefined };
    const place = position(last);
    return { items, next: this.cursorAfter(typeof place === 'string' ? place : JSON.stringify(place)) };
  }
}

/** Splits lists into pages. */
@Injectable()
export class Pages {
  constructor(
    private readonly cursors: Cursors,
    private readonly publicUrl: string,
  ) {}

  /**
   * @param list the list's name, to which its cursors are bound
   * @param query an empty cursor asks for the first page, also in every other dialect
   * @param filter what the caller asked for; with a cursor it must be absent or the same as in the cursor
   * @throws ValidationError for a foreign or tampered cursor, or a filter that contradicts it
   */
  open<F extends Filter>(list: string, { limit, cursor }: PageQuery, filter: F): OpenPage<F> {
    const take = limit + 1;
    if (!cursor) return new OpenPage(this.cursors, list, { take, after: null, filter });
    const content = this.cursors.decode(list, cursor);
    const faults = Object.entries(filter)
      .filter(([name, value]) => value !== undefined && value !== content.filter[name])
      .map(([name]) => ({
        loc: ['query', name],
        msg: 'Differs from the filter in the cursor. Leave it out, or start again without a cursor.',
        type: 'value_error' as const,
      }));
    if (faults.length > 0) throw new ValidationError(faults);
    return new OpenPage(this.cursors, list, { take, after: content.after, filter: content.filter as F });
  }

  /**
   * @param query of this page; the link is verified as strictly again when it is followed
   * @returns the value of a `Link` header that names the next page (RFC 8288)
   */
  link(path: string, query: { limit: number; verify_locally?: boolean; format?: string }, cursor: string): string {
    const format = query.format === undefined || query.format === 'json' ? '' : `&format=${query.format}`;
    const strict = query.verify_locally === false ? '&verify_locally=false' : '';
    return `<${this.publicUrl}${path}?limit=${query.limit}&cursor=${cursor}${format}${strict}>; rel="next"`;
  }
}

/** The first signature of `close` takes only rows that have an id. */
function idOf(row: unknown): string {
  return (row as { id: string }).id;
}
