import type * as Library from '@modelcontextprotocol/client';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { RefusedAddressError } from '../../outbound/target-addresses';
import { UpstreamAgents } from '../upstreams/upstream-agents';
import { failureOfConnection } from '../protocol/upstream-failure';
import { ConnectFailure } from './connect-failure';
import { OAuthUrls } from './oauth-urls';
import { RequestBudgets, type RequestUse } from './request-budgets';

/** Metadata, registrations and tokens have a few kilobytes. */
const MAX_ANSWER_BYTES = 262_144;
/** For one request, from the connection to the last byte; milliseconds. */
const REQUEST_MS = 10_000;
/** What is read of the headers of an answer. No `Location`: no redirect is followed, since it would take codes and secrets along. */
const KEPT_HEADERS = ['content-type', 'www-authenticate'];

/** What the library takes as `fetch`. */
export type OAuthFetcher = (input: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Requests to servers that give or want tokens: over the connections of upstreams, so every dialled address is checked, and
 * bounded in size, in time and in number.
 */
@Injectable()
export class OAuthFetch {
  private readonly budgets = new RequestBudgets();

  constructor(
    private readonly agents: UpstreamAgents,
    private readonly urls: OAuthUrls,
  ) {}

  /**
   * @param signal ends all requests of one purpose
   * @param use counts them
   * @returns a `fetch` that throws ConnectFailure where there is no answer
   */
  within(signal: AbortSignal, use: RequestUse): OAuthFetcher {
    return async (input, init) => {
      const url = this.urls.require(String(input), 'a server');
      const end = this.budgets.enter(use);
      try {
        return await this.send(url, init ?? {}, signal);
      } finally {
        end();
      }
    };
  }

  private async send(url: URL, init: RequestInit, outer: AbortSignal): Promise<Response> {
    try {
      const answer = await this.agents.of(url).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: init.method ?? 'GET',
        headers: {
          ...Object.fromEntries(new Headers(init.headers)),
          'user-agent': 'Toolyard',
          'accept-encoding': 'identity',
        },
        body: bodyOf(init.body),
        signal: AbortSignal.any([outer, AbortSignal.timeout(REQUEST_MS)]),
      });
      const body = isStream(answer.headers['content-type']) ? left(answer.body) : await bounded(answer.body, url);
      const headers = KEPT_HEADERS.flatMap((name) => {
        const value = answer.headers[name];
        return value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]];
      });
      const isEmpty = [204, 205, 304].includes(answer.statusCode);
      return new Response(isEmpty ? null : body, { status: answer.statusCode, headers });
    } catch (error) {
      throw failureOf(error, url);
    }
  }
}

/** One that may never end is no document. */
function isStream(type: string | string[] | undefined): boolean {
  return String(type ?? '').startsWith('text/event-stream');
}

function left(body: Readable): Buffer {
  body.on('error', () => undefined).destroy();
  return Buffer.alloc(0);
}

/** @throws ConnectFailure if it is too large */
async function bounded(body: AsyncIterable<Uint8Array>, url: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop destroys the body.
    if (length > MAX_ANSWER_BYTES) throw new ConnectFailure('unsupported', `${url.host} answers more than 256 KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The library sends forms and JSON, and messages to a server are bytes. */
function bodyOf(body: RequestInit['body']): string | Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('This body is not supported.');
}

function failureOf(error: unknown, url: URL): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  const isLate = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
  if (isLate) return new ConnectFailure('unreachable', `${url.host} did not answer in time`);
  const { message, cause } = failureOfConnection(error);
  return new ConnectFailure(cause instanceof RefusedAddressError ? 'unsafe' : 'unreachable', `${url.host}: ${message}`);
}

/**
 * The OAuth client functions of `@modelcontextprotocol/client`, loaded when they are first needed: the rest of the package
 * comes along, and a process in which no one connects an account need not have it in memory (ADR 50).
 */
export function oauthLibrary(): typeof Library {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only this form loads when it is called, and at once
  return require('@modelcontextprotocol/client') as typeof Library;
}
