import { isUtf8 } from 'node:buffer';
import type { Request, Response } from 'express';
import { hasBody, readBytes, UnreadableBodyError } from './body-bytes';
import { DomainError, Fault } from '../../errors/errors';
import { ErrorCode } from '../http.errors';
import { boundsFault, MAX_VALUES } from './json-bounds';
import { nextTurn } from './next-turn';
import { findTextFaults } from './text-faults';

const LIMIT_BYTES = 1_048_576;
/**
 * Above this size, parsing, checking the texts and the operation itself run in separate turns of the event loop: a
 * group of 37,000 members takes up to 70 ms of CPU for all of them, and at most half of that for one.
 */
const LONG_BYTES = 131_072;
/** Ignores a byte order mark, as RFC 8259, section 8.1, allows. */
const UTF8 = new TextDecoder();

/** What an operation declares about its body. */
export interface BodyRules {
  /** Whether the body is optional; an absent one counts as an empty object. */
  isOptional: boolean;
  /** The accepted media types; undefined: `application/json` and all `+json` types. */
  mediaTypes?: readonly string[];
  /** Bytes; by default 1 MiB. */
  limit?: number;
  /** Values (`json-bounds.ts`); by default 10,000. */
  valueLimit?: number;
}

const MISSING: Fault = { loc: ['body'], msg: 'A JSON body is required.', type: 'missing' };

/** A body that was read: its value (undefined if it cannot be checked further), and its errors. */
export interface ReadBody {
  body: unknown;
  faults: Fault[];
}

/**
 * Reads a JSON request body, by default of at most 1 MiB (contract, section 1). Its bounds are checked before it is
 * parsed.
 *
 * @throws DomainError `unsupported_media_type` for a body that is not JSON in UTF-8, `payload_too_large` over the limit
 */
export async function readJson(request: Request, response: Response, rules: BodyRules): Promise<ReadBody> {
  const emptyBody: ReadBody = rules.isOptional ? { body: {}, faults: [] } : { body: undefined, faults: [MISSING] };
  if (!hasBody(request)) return emptyBody;
  if (!isJson(request, rules.mediaTypes)) {
    const expected = rules.mediaTypes?.join(' or ') ?? 'application/json';
    const contentType = request.headers['content-type'] ?? 'none';
    throw new DomainError(
      ErrorCode.UnsupportedMediaType,
      `The body must be ${expected}; its content type is ${contentType.slice(0, 100)}.`,
    );
  }
  let bytes: Buffer;
  try {
    bytes = await readBytes(request, response, rules.limit ?? LIMIT_BYTES);
  } catch (error) {
    if (error instanceof UnreadableBodyError)
      return refused('The body did not arrive completely, or cannot be decoded.');
    throw error;
  }
  return bytes.length === 0 ? emptyBody : parse(bytes, rules.valueLimit ?? MAX_VALUES);
}

async function parse(bytes: Buffer, mostValues: number): Promise<ReadBody> {
  // The parser would silently replace invalid UTF-8.
  if (!isUtf8(bytes)) return refused('The body is not UTF-8.');
  const excess = boundsFault(bytes, mostValues);
  if (excess !== undefined) return refused(excess, 'value_error');
  let body: unknown;
  try {
    body = JSON.parse(UTF8.decode(bytes)) as unknown;
  } catch (error) {
    return refused(`The body is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  const isLong = bytes.length > LONG_BYTES;
  if (isLong) await nextTurn();
  const faults: Fault[] = [];
  const isBounded = findTextFaults(body, ['body'], faults, mostValues);
  if (isLong) await nextTurn();
  return { body: isBounded ? body : undefined, faults };
}

function refused(msg: string, type: Fault['type'] = 'json_invalid'): ReadBody {
  return { body: undefined, faults: [{ loc: ['body'], msg, type }] };
}

/** `application/json` and the `+json` types, or the specified ones, in UTF-8 (RFC 8259, section 8.1). */
function isJson(request: Request, mediaTypes?: readonly string[]): boolean {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  const isTaken = mediaTypes?.includes(type.trim()) ?? /^\s*application\/([a-z0-9.-]+\+)?json\s*$/.test(type);
  return isTaken && (charset === undefined || charset === 'utf-8');
}
