import type { Keyring } from '../../config/keyring';
import { ValidationError } from '../../errors/errors';

/** The content of a cursor: the position after which the next page begins, and the filter and order it belongs to. */
export interface CursorContent {
  after: string;
  filter: Record<string, string | undefined>;
}

const SIGNATURE_BYTES = 12;
const PREFIX = Buffer.from('cursor\0');

/** The error for anything else. */
export const CURSOR_FAULT = {
  msg: 'This is not a cursor of this list. Start again without a cursor.',
  type: 'value_error',
} as const;

/**
 * Opaque cursors: base64url of a signature and a JSON text. They carry their list and its filter, since well-known
 * clients ask for the next page with nothing but the cursor; the signature prevents callers from forging one (contract,
 * section 1).
 */
export class Cursors {
  /** @param keys secrets that all replicas share; the current one signs */
  constructor(private readonly keys: Keyring) {}

  /** @param list the list's name: a cursor of one list is not valid in another */
  encode(list: string, content: CursorContent): string {
    const text = Buffer.from(JSON.stringify([list, content.after, content.filter]));
    return Buffer.concat([this.keys.mac(signed(text)).subarray(0, SIGNATURE_BYTES), text]).toString('base64url');
  }

  /**
   * @returns whether the cursor was created here, for any list. Needs no look-ups, so that a tampered cursor is
   *   reported together with the other errors of the request.
   */
  isGenuine(cursor: string): boolean {
    return this.open(cursor) !== undefined;
  }

  /** @throws ValidationError if the cursor was not created here, or not for this list */
  decode(list: string, cursor: string): CursorContent {
    const text = this.open(cursor);
    const [itsList, after, filter] =
      text === undefined ? [] : (JSON.parse(text) as [string, string, CursorContent['filter']]);
    if (itsList !== list || after === undefined || filter === undefined) {
      throw new ValidationError([{ loc: ['query', 'cursor'], ...CURSOR_FAULT }]);
    }
    return { after, filter };
  }

  /** @returns the signed content; undefined without a valid signature of ours */
  private open(cursor: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    const text = bytes.subarray(SIGNATURE_BYTES);
    const signature = bytes.subarray(0, SIGNATURE_BYTES);
    const isGenuine =
      bytes.toString('base64url') === cursor &&
      signature.length === SIGNATURE_BYTES &&
      this.keys.isMac(signature, signed(text));
    return isGenuine ? text.toString() : undefined;
  }
}

function signed(text: Buffer): Buffer {
  return Buffer.concat([PREFIX, text]);
}
