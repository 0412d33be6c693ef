import { isUtf8 } from 'node:buffer';
import type { Request, Response } from 'express';
import { readBytes, UnreadableBodyError } from '../../http/requests/body-bytes';
import { boundsFault } from '../../http/requests/json-bounds';
import { nextTurn } from '../../http/requests/next-turn';
import { readJson } from './json-reading';
import { RpcCode, RpcFailure } from './json-rpc';
import { CLIENT_MESSAGE } from './message-readings';

const LIMIT_BYTES = 1_048_576;
/** Arguments of tools may be tables; a mebibyte has room for half a million numbers, which would take long to go through. */
const MAX_VALUES = 100_000;
/** Above this size, other requests get a turn after it is parsed. */
const LONG_BYTES = 131_072;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Reads what a client has posted: one JSON value of at most 1 MiB and 64 levels. What goes to a server stays as it came.
 *
 * @throws RpcFailure 400, 406 and 415; DomainError `payload_too_large`
 */
export async function readMessage(request: Request, response: Response): Promise<unknown> {
  requireAccept(request);
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json')
    throw new RpcFailure(415, RpcCode.InvalidRequest, 'The body must be application/json.');
  const bytes = await readWhole(request, response);
  response.locals.messageBytes = bytes.length;
  if (!isUtf8(bytes)) throw new RpcFailure(400, RpcCode.ParseError, 'The body is not UTF-8.');
  const excess = boundsFault(bytes, MAX_VALUES);
  if (excess !== undefined) throw new RpcFailure(400, RpcCode.InvalidRequest, excess);
  const read = readJson(withoutMark(bytes), CLIENT_MESSAGE);
  if (!('value' in read)) throw new RpcFailure(400, RpcCode.ParseError, 'The body is not JSON.');
  if (bytes.length > LONG_BYTES) await nextTurn();
  return read.value;
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;
}

/** @returns the size of the message that was read from this request */
export function messageBytes({ locals }: Response): number {
  const { messageBytes: bytes } = locals as { messageBytes?: number };
  return bytes ?? 0;
}

/** Both types must be accepted, because either may be the answer (Streamable HTTP, "Sending Messages"). */
function requireAccept({ headers }: Request): void {
  const accepted = acceptedTypes(headers.accept);
  if (accepts(accepted, 'application/json') && accepts(accepted, 'text/event-stream')) return;
  throw new RpcFailure(406, RpcCode.InvalidRequest, 'Accept must list both application/json and text/event-stream.');
}

/** @throws RpcFailure 406 */
export function requireEventStream({ headers }: Request): void {
  if (accepts(acceptedTypes(headers.accept), 'text/event-stream')) return;
  throw new RpcFailure(406, RpcCode.InvalidRequest, 'Accept must list text/event-stream.');
}

function acceptedTypes(header = ''): ReadonlySet<string> {
  const parts = header.toLowerCase().split(',');
  return new Set(
    parts.filter((part) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(part)).map((part) => part.split(';', 1)[0]?.trim() ?? ''),
  );
}

function accepts(accepted: ReadonlySet<string>, type: string): boolean {
  return accepted.has(type) || accepted.has('*/*') || accepted.has(`${type.split('/', 1)[0]}/*`);
}

async function readWhole(request: Request, response: Response): Promise<Buffer> {
  try {
    return await readBytes(request, response, LIMIT_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableBodyError)) throw error;
    throw new RpcFailure(400, RpcCode.ParseError, 'The body did not arrive completely, or cannot be decoded.');
  }
}
