import { createHmac, timingSafeEqual } from 'node:crypto';
import { ValidationError } from './errors';

/** What a cursor holds: the position after which the next page begins, and the filter and order that it belongs to. */
export interface CursorContent {
  after: string;
  filter: Record<string, string | undefined>;
}

const SIGNATURE_BYTES = 12;

/**
 * Opaque cursors: base64url of a signature and a JSON text. They carry their filter, since well-known clients ask for
 * the next page with nothing but the cursor; the signature keeps a caller from making one up (contract, section 1).
 */
export class Cursors {
  /** @param key any secret that all replicas share */
  constructor(private readonly key: Buffer) {}

  /** @param list the list's name: a cursor of one list is worth nothing in another */
  encode(list: string, content: CursorContent): string {
    const text = Buffer.from(JSON.stringify([content.after, content.filter]));
    return Buffer.concat([this.sign(list, text), text]).toString('base64url');
  }

  /** @throws ValidationError when the cursor was not made here, or not for this list */
  decode(list: string, cursor: string): CursorContent {
    const bytes = Buffer.from(cursor, 'base64url');
    const text = bytes.subarray(SIGNATURE_BYTES);
    const signature = bytes.subarray(0, SIGNATURE_BYTES);
    const genuine =
      bytes.toString('base64url') === cursor &&
      signature.length === SIGNATURE_BYTES &&
      timingSafeEqual(signature, this.sign(list, text));
    if (!genuine) {
      throw new ValidationError([
        {
          loc: ['query', 'cursor'],
          msg: 'This is not a cursor of this list. Begin again without one.',
          type: 'value_error',
        },
      ]);
    }
    const [after, filter] = JSON.parse(text.toString()) as [string, CursorContent['filter']];
    return { after, filter };
  }

  private sign(list: string, text: Buffer): Buffer {
    return createHmac('sha256', this.key)
      .update(`cursor of ${list}\0`)
      .update(text)
      .digest()
      .subarray(0, SIGNATURE_BYTES);
  }
}
