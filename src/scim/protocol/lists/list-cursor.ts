import { Cursors } from '../../../http/requests/cursor';
import { ValidationError } from '../../../errors/errors';
import { ScimError } from '../scim-error';
import type { ScimQuery } from '../scim-resource';
import type { PageKey } from './page-keys';

/** What all pages of a list have in common, and their size unless a request specifies another. */
export type ListTerms = Pick<ScimQuery, 'filter' | 'sortBy' | 'sortOrder' | 'count'>;

const TERMS = ['filter', 'sortBy', 'sortOrder'] as const;

/** The cursors of RFC 9865: signed, bound to one list of one organisation, and valid permanently. */
export class ListCursors {
  /** @param list its name; a cursor of another list is not valid here */
  constructor(
    private readonly cursors: Cursors,
    private readonly list: string,
  ) {}

  encode({ source, id, sort }: PageKey, { count, ...terms }: ListTerms): string {
    const after = JSON.stringify([source, id, sort]);
    return this.cursors.encode(this.list, { after, filter: { ...terms, count: count?.toString() } });
  }

  /**
   * A client repeats all parameters (RFC 9865, section 2); omitted ones are taken from the cursor, and only the size of
   * the page may differ.
   *
   * @throws ScimError invalidCursor if the cursor was not created here, or for different parameters
   */
  decode(query: ScimQuery & { cursor: string }): { after: PageKey; terms: ListTerms } {
    const { after, filter: carried } = this.open(query.cursor);
    const differing = TERMS.find((term) => query[term] !== undefined && query[term] !== carried[term]);
    if (differing) {
      throw new ScimError(
        'invalidCursor',
        `"${differing}" differs from the list of this cursor. Start again without a cursor.`,
      );
    }
    const [source, id, sort] = JSON.parse(after) as [number, string, string | null];
    const { filter, sortBy, count } = carried;
    const sortOrder = carried.sortOrder as ScimQuery['sortOrder'];
    return {
      after: { source, id, sort },
      terms: { filter, sortBy, sortOrder, count: query.count ?? (count === undefined ? undefined : Number(count)) },
    };
  }

  private open(cursor: string) {
    try {
      return this.cursors.decode(this.list, cursor);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ScimError('invalidCursor', 'This is not a cursor of this list. Start again with an empty cursor.');
    }
  }
}
