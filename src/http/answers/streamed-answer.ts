import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { Response } from 'express';

/** A client that reads nothing for so long is gone, or holds up a file for no one. */
const STALLED_MS = 30_000;

const logger = new Logger('StreamedAnswer');

/**
 * Sends a long answer piece by piece, as fast as the client reads it. If a piece cannot be made, the connection is cut, so
 * that no client takes what it got for the whole, and the failure is in the log.
 */
export async function sendStreamed(response: Response, pieces: AsyncIterable<string>): Promise<void> {
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.setTimeout(STALLED_MS, () => response.destroy());
  try {
    await pipeline(Readable.from(reported(pieces, response.req.id)), response);
  } catch {
    // The client has gone, or what failed is in the log.
  }
}

async function* reported(pieces: AsyncIterable<string>, requestId: string): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (error) {
    logger.error(error, `The answer was cut off (request ${requestId})`);
    throw error;
  }
}
