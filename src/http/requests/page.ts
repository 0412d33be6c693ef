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

/** What a list requests from the database. */
export interface PageRequest<F extends Filter> {
  /** One row more than the page holds, to see whether there is a next page. */
  take: number;
  /** The position of the last row of the previous page, normally its id. */
  after?: string;
  filter: F;
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
  open<F extends Filter>(list: string, query: PageQuery, filter: F): PageRequest<F> {
    if (!query.cursor) return { take: query.limit + 1, filter };
    const content = this.cursors.decode(list, query.cursor);
    const faults = Object.entries(filter)
      .filter(([name, value]) => value !== undefined && value !== content.filter[name])
      .map(([name]) => ({
        loc: ['query', name],
        msg: 'Differs from the filter in the cursor. Leave it out, or start again without a cursor.',
        type: 'value_error' as const,
      }));
    if (faults.length > 0) throw new ValidationError(faults);
    return { take: query.limit + 1, after: content.after, filter: content.filter as F };
  }

  /**
   * @param rows at most `request.take` of them
   * @param map row to output
   * @param position of a row in the order of the list; by default its id
   */
  close<R extends { id: string }, T, F extends Filter>(
    list: string,
    request: PageRequest<F>,
    rows: R[],
    map: (row: R) => T,
    position: (row: R) => string = ({ id }) => id,
  ): Page<T> {
    const full = rows.length >= request.take;
    return this.end(list, request, full ? rows.slice(0, request.take - 1) : rows, full, map, position);
  }

  /**
   * The same for a page whose end the database decided, possibly before `limit`.
   *
   * @param shown the rows of the page
   * @param hasMore whether there are rows after them
   */
  end<R, T, F extends Filter>(
    list: string,
    request: Pick<PageRequest<F>, 'filter'>,
    shown: readonly R[],
    hasMore: boolean,
    map: (row: R) => T,
    position: (row: R) => string,
  ): Page<T> {
    const last = shown.at(-1);
    const next = hasMore && last && this.cursors.encode(list, { after: position(last), filter: request.filter });
    return { items: shown.map(map), next: next || undefined };
  }

  /**
   * @param query of this page; the link is verified as strictly again when it is followed
   * @returns the value of a `Link` header that names the next page (RFC 8288)
   */
  link(path: string, query: { limit: number; verify_locally?: boolean }, cursor: string): string {
    const strict = query.verify_locally === false ? '&verify_locally=false' : '';
    return `<${this.publicUrl}${path}?limit=${query.limit}&cursor=${cursor}${strict}>; rel="next"`;
  }
}
