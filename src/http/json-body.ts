import { isUtf8 } from 'node:buffer';
import { json } from 'express';
import type { Request, Response } from 'express';
import { DomainError, ErrorCode, Fault } from './errors';
import { findTextFaults } from './text-faults';

const LIMIT_BYTES = 1_048_576;

/** What an operation says of its body. */
export interface BodyRules {
  /** Whether there may be none, which is then taken for an empty object. */
  isOptional: boolean;
  /** The media types that are taken; undefined: `application/json` and all `+json` types. */
  mediaTypes?: readonly string[];
  /** Bytes; 1 MiB when it is left out. */
  limit?: number;
}

const MISSING: Fault = { loc: ['body'], msg: 'A JSON body is required.', type: 'missing' };

/** A body that was read: its value (undefined when nothing more can be said of it), and what is wrong with it. */
export interface ReadBody {
  body: unknown;
  faults: Fault[];
}

/** Reads JSON request bodies, of at most 1 MiB as a rule (contract, section 1). */
export class JsonBody {
  private readonly parsers = new Map<number, ReturnType<typeof json>>();

  /**
   * @throws DomainError `unsupported_media_type` for a body that is not JSON in UTF-8, `payload_too_large` over the limit
   */
  async read(request: Request, response: Response, rules: BodyRules): Promise<ReadBody> {
    const none: ReadBody = rules.isOptional ? { body: {}, faults: [] } : { body: undefined, faults: [MISSING] };
    if (!hasBody(request)) return none;
    if (!isJson(request, rules.mediaTypes)) {
      const wanted = rules.mediaTypes?.join(' or ') ?? 'application/json';
      const given = request.headers['content-type'] ?? 'none';
      throw new DomainError(
        ErrorCode.UnsupportedMediaType,
        `The body must be ${wanted}; its content type is ${given.slice(0, 100)}.`,
      );
    }
    const limit = rules.limit ?? LIMIT_BYTES;
    const fault = await new Promise<ParserError | undefined>((resolve) =>
      this.parser(limit)(request, response, (error?: unknown) => resolve(error as ParserError | undefined)),
    );
    if (fault?.type === 'body.empty') return none;
    if (fault) return { body: undefined, faults: [jsonFault(fault, limit)] };
    const faults: Fault[] = [];
    const isBounded = findTextFaults(request.body, ['body'], faults, limit / LIMIT_BYTES);
    return { body: isBounded ? (request.body as unknown) : undefined, faults };
  }

  private parser(limit: number): ReturnType<typeof json> {
    let parser = this.parsers.get(limit);
    if (!parser) {
      parser = json({ limit, strict: false, type: () => true, verify: requireText });
      this.parsers.set(limit, parser);
    }
    return parser;
  }
}

interface ParserError extends Error {
  type?: string;
}

/** The parser would take nothing for `{}` and replace what is no UTF-8 without a word. */
function requireText(_request: unknown, _response: unknown, bytes: Buffer): void {
  if (bytes.length === 0) throw Object.assign(new Error('no body'), { type: 'body.empty' });
  if (!isUtf8(bytes)) throw Object.assign(new Error('no text'), { type: 'body.not.utf8' });
}

function jsonFault(error: ParserError, limit: number): Fault {
  switch (error.type) {
    case 'entity.too.large':
      throw new DomainError(ErrorCode.PayloadTooLarge, `The body is larger than ${limit / 1_048_576} MiB.`);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      throw new DomainError(
        ErrorCode.UnsupportedMediaType,
        'The body must be UTF-8, plain or compressed with gzip, deflate or br.',
      );
    case 'body.not.utf8':
      return { loc: ['body'], msg: 'The body is not UTF-8.', type: 'json_invalid' };
    case 'entity.parse.failed':
      return { loc: ['body'], msg: `The body is not JSON: ${error.message.slice(0, 200)}`, type: 'json_invalid' };
    case 'request.aborted':
    case 'request.size.invalid':
    case 'stream.encoding.set':
      return { loc: ['body'], msg: 'The body did not arrive whole.', type: 'json_invalid' };
    default:
      // A compressed body that cannot be decompressed comes as zlib's own error.
      return { loc: ['body'], msg: 'The body cannot be decoded.', type: 'json_invalid' };
  }
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** `application/json` and the `+json` types, or those that are given, in UTF-8 (RFC 8259, section 8.1). */
function isJson(request: Request, mediaTypes?: readonly string[]): boolean {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  const isTaken = mediaTypes?.includes(type.trim()) ?? /^\s*application\/([a-z0-9.-]+\+)?json\s*$/.test(type);
  return isTaken && (charset === undefined || charset === 'utf-8');
}
