import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { nextTurn } from '../../http/requests/next-turn';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { MAX_PARSED_VALUES } from '../protocol/json-bytes';
import { readAnyJson, readJson, type Reading } from '../protocol/json-reading';
import { UpstreamFailure } from '../protocol/upstream-failure';

/** What is decoded in one piece. */
const PIECE_BYTES = 262_144;

/**
 * Reads a message of a server, in turns where it is long.
 *
 * @returns undefined if it is no JSON object, or nested too deeply
 * @throws UpstreamFailure `too_large` if what has to be parsed of it has more values than this service builds
 */
export async function readMessage(bytes: Buffer, reading: Reading): Promise<JsonObject | undefined> {
  return objectIn(await readAnyJson(isUtf8(bytes) ? bytes : await decoded(bytes), reading));
}

/** The same for a short one, in one piece. */
export function readShortMessage(bytes: Buffer, reading: Reading): JsonObject | undefined {
  return objectIn(readJson(isUtf8(bytes) ? bytes : Buffer.from(bytes.toString('utf8')), reading));
}

function objectIn(read: ReturnType<typeof readJson>): JsonObject | undefined {
  if ('value' in read) return isObject(read.value) ? read.value : undefined;
  if (read.fault !== 'too_many_values' && read.fault !== 'too_many_places') return undefined;
  const detail = `It has answered with more than ${MAX_PARSED_VALUES} values that have to be read, or an object of more than 10,000 members.`;
  throw new UpstreamFailure('too_large', detail, true);
}

/** What is no UTF-8 becomes U+FFFD, as other readers have it. */
async function decoded(bytes: Buffer): Promise<Buffer> {
  const decoder = new StringDecoder('utf8');
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(Buffer.from(decoder.write(bytes.subarray(at, at + PIECE_BYTES))));
    await nextTurn();
  }
  return Buffer.concat([...pieces, Buffer.from(decoder.end())]);
}
