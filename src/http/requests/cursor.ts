import { createHmac, timingSafeEqual } from 'node:crypto';
import { ValidationError } from '../../errors/errors';

/** What a cursor holds: the position after which the next page begins, and the filter and order that it belongs to. */
export interface CursorContent {
  after: string;
  filter: Record<string, string | undefined>;
}

const SIGNATURE_BYTES = 12;

/** What a caller is told of anything else. */
export const CURSOR_FAULT = {
  msg: 'This is not a cursor of this list. Start again without a cursor.',
  type: 'value_error',
} as const;

/**
 * Opaque cursors: base64url of a signature and a JSON text. They carry their list and its filter, since well-known
 * clients ask for the next page with nothing but the cursor; the signature keeps a caller from making one up (contract,
 * section 1).
 */
export class Cursors {
  /** @param key any secret that all replicas share */
  constructor(private readonly key: Buffer) {}

  /** @param list the list's name: a cursor of one list is worth nothing in another */
  encode(list: string, content: CursorContent): string {
    const text = Buffer.from(JSON.stringify([list, content.after, content.filter]));
    return Buffer.concat([this.sign(text), text]).toString('base64url');
  }

  /**
   * @returns whether the cursor was made here, for whichever list. It can be asked before anything is looked up, so that a
   *   tampered cursor is found when the rest of the request is validated.
   */
  isGenuine(cursor: string): boolean {
    return this.open(cursor) !== undefined;
  }

  /** @throws ValidationError when the cursor was not made here, or not for this list */
  decode(list: string, cursor: string): CursorContent {
    const text = this.open(cursor);
    const [itsList, after, filter] =
      text === undefined ? [] : (JSON.parse(text) as [string, string, CursorContent['filter']]);
    if (itsList !== list || after === undefined || filter === undefined) {
      throw new ValidationError([{ loc: ['query', 'cursor'], ...CURSOR_FAULT }]);
    }
    return { after, filter };
  }

  /** @returns what was signed; undefined if it was not signed by us */
  private open(cursor: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    const text = bytes.subarray(SIGNATURE_BYTES);
    const signature = bytes.subarray(0, SIGNATURE_BYTES);
    const isGenuine =
      bytes.toString('base64url') === cursor &&
      signature.length === SIGNATURE_BYTES &&
      timingSafeEqual(signature, this.sign(text));
    return isGenuine ? text.toString() : undefined;
  }

  private sign(text: Buffer): Buffer {
    return createHmac('sha256', this.key).update('cursor\0').update(text).digest().subarray(0, SIGNATURE_BYTES);
  }
}
