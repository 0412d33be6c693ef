import type { ServerResponse } from 'node:http';
import { PieceQueue } from '../../http/requests/next-turn';

/** What is written in one turn: the system copies it. A list of megabytes at once would hold up others for milliseconds. */
const PIECE_BYTES = 131_072;

/**
 * Several connections that read a long list as fast as they can take all of the loop, in whatever pieces, so there is a rest of 3 ms
 * between pieces. One that reads alone has none.
 */
const writes = new PieceQueue(3);
/** More than an answer or a page of a list may have: such a one counts at once as waiting for its client (`UnreadResponses`). */
const MAX_BYTES = 16_777_216;

/** @returns whether an answer is so long that it is written in pieces */
export function isLong(parts: readonly (string | Buffer)[]): boolean {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length <= MAX_BYTES && parts.some((part) => part.length > PIECE_BYTES);
}

/** Writes an answer with turns for other requests between its pieces. Nothing is copied. */
export async function writeInTurns(response: ServerResponse, parts: readonly (string | Buffer)[]): Promise<void> {
  for (const part of parts) {
    if (response.destroyed) return;
    if (part.length <= PIECE_BYTES) {
      response.write(part);
      continue;
    }
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      if (response.destroyed) return;
      response.write(bytes.subarray(start, start + PIECE_BYTES));
      await writes.next();
    }
  }
}
