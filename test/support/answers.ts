import { DECLARED } from '../../src/app.module';
import type { Error as ErrorBody, ValidationErrors } from './api-types';

/** An answer as it came over the wire. */
export interface RawAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined when the text is not JSON. */
  body: Body;
}

/** What a caller may send that no well-behaved client would. */
export interface RawRequest {
  method?: string;
  token?: string;
  headers?: Record<string, string>;
  /** Bytes as they are; a stream is sent in chunks, without a length. */
  body?: string | Uint8Array | ReadableStream;
}

/**
 * Sends a request without any of a client's help, and holds whatever error comes back against section 2 of the
 * contract: JSON, one of the two bodies, with a request id.
 *
 * @typeParam Body what the answer should hold, from `api-types.ts`; nothing checks it
 */
export async function send<Body = unknown>(
  url: string,
  { method = 'GET', token, headers = {}, body }: RawRequest = {},
): Promise<RawAnswer<Body>> {
  const response = await fetch(url, {
    method,
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    body: body as RequestInit['body'],
    // Needed for a stream, and unknown to the types of Node 20.
    ...({ duplex: 'half' } as object),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, body: parsed(text) as Body };
  if (answer.status >= 400 && method !== 'HEAD') expectErrorBody(answer);
  return answer;
}

/** The two bodies of the specification, and no third one. */
export function expectErrorBody({ status, headers, body }: RawAnswer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  if (status !== 422) {
    const { detail, code, ...rest } = { ...(body as ErrorBody) };
    expect(rest).toEqual({});
    expect(detail).toEqual(expect.any(String));
    expect(DECLARED.errors.map((declared) => declared.code)).toContain(code);
    return;
  }
  const { detail, ...rest } = { ...(body as ValidationErrors) };
  expect(rest).toEqual({});
  expect(detail.length).toBeGreaterThan(0);
  for (const { loc, msg, type, ...others } of detail) {
    expect(others).toEqual({});
    expect(['path', 'query', 'header', 'body']).toContain(loc[0]);
    expect(loc.filter((part) => typeof part !== 'string')).toEqual([]);
    expect(msg).toEqual(expect.any(String));
    expect(type).toMatch(/^[a-z_]+$/);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
