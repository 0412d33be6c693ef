import { json } from 'express';
import type { Request, Response } from 'express';
import { DomainError, ErrorCode, Fault } from './errors';
import { textFaults } from './text-faults';

const LIMIT_BYTES = 1_048_576;

/** A body that was read: its value (undefined when there was none), or what is wrong with it. */
export interface ReadBody {
  body: unknown;
  faults: Fault[];
}

/** Reads JSON request bodies of at most 1 MiB (contract, section 1). */
export class JsonBody {
  private readonly parse = json({ limit: LIMIT_BYTES, strict: false, type: () => true });

  /**
   * @throws DomainError `unsupported_media_type` for a body that is not JSON in UTF-8, `payload_too_large` over the limit
   */
  async read(request: Request, response: Response): Promise<ReadBody> {
    if (!hasBody(request)) {
      return { body: undefined, faults: [{ loc: ['body'], msg: 'A JSON body is required.', type: 'missing' }] };
    }
    if (!isJson(request)) {
      const given = request.headers['content-type'] ?? 'none';
      throw new DomainError(
        ErrorCode.UnsupportedMediaType,
        `The body must be application/json; its content type is ${given.slice(0, 100)}.`,
      );
    }
    const fault = await new Promise<ParserError | undefined>((resolve) =>
      this.parse(request, response, (error?: unknown) => resolve(error as ParserError | undefined)),
    );
    if (fault) return { body: undefined, faults: [jsonFault(fault)] };
    return { body: request.body as unknown, faults: textFaults(request.body, ['body']) };
  }
}

interface ParserError extends Error {
  type?: string;
}

function jsonFault(error: ParserError): Fault {
  switch (error.type) {
    case 'entity.too.large':
      throw new DomainError(ErrorCode.PayloadTooLarge, 'The body is larger than 1 MiB.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      throw new DomainError(
        ErrorCode.UnsupportedMediaType,
        'The body must be UTF-8, plain or compressed with gzip, deflate or br.',
      );
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

/** `application/json` and the `+json` types, in UTF-8 (RFC 8259, section 8.1). */
function isJson(request: Request): boolean {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  return /^\s*application\/([a-z0-9.-]+\+)?json\s*$/.test(type) && (charset === undefined || /^utf-?8$/.test(charset));
}
