import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Client } from 'undici';
import { TargetAddresses } from '../../outbound/target-addresses';
import { selfDescribed, type ClientMetadata } from './client-rules';
import { NoSlotError, OutboundSlots } from './outbound-slots';
import { requestContext } from './request-context';
import { isObject } from '../../http/requests/json-object';

const DEADLINE_MS = 2_500;
/** The library has lower limits of its own for what it fetches: 5 KiB for a metadata document. */
const MAX_BYTES = 65_536;
const FAILURE_REMEMBERED_MS = 30_000;
/** Anyone can fill this, with `MAX_BYTES` each. */
const MAX_REMEMBERED = 200;
/** For how long a document that was good is used while its address does not answer; and how many, of 5 KiB at most. */
const KEPT_MS = 24 * 3_600_000;
const MAX_KEPT = 1_000;
/** What says something of a document: this is it, or there is none. All others say something of the moment or of who asks. */
const TELLING: ReadonlySet<number> = new Set([200, 404, 410]);
const MAX_KEPT_BYTES = 5 * 1_024;

/** What the library needs of a response. */
interface Fetched {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * The library's `fetch`: metadata documents and keys of clients, and back-channel logout. Connects only where deliveries
 * may connect (`TargetAddresses`), to exactly the addresses that were checked, and follows no redirect. What could not
 * be fetched, or was no good, is not fetched again for 30 s; a document that was good before is used meanwhile, for a day.
 */
export class OutboundFetch {
  private readonly remembered = new LRUCache<string, Promise<Fetched>>({
    max: MAX_REMEMBERED,
    ttl: FAILURE_REMEMBERED_MS,
  });
  /** What was good, by its address. The library remembers a hundred, which anyone can fill. */
  private readonly good = new LRUCache<string, Fetched>({ max: MAX_KEPT, ttl: KEPT_MS });
  private readonly slots = new OutboundSlots();

  constructor(private readonly addresses: TargetAddresses) {}

  /**
   * @throws NoSlotError if too much is being fetched, which is also noted for the request (`RequestContext`);
   *   Error if the address is refused or there is no answer within 2.5 s
   */
  readonly fetch = async (input: string | URL | Request, options: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = options.method ?? 'GET';
    if (method !== 'GET') return toResponse(url, await this.send(url, method, options));
    return toResponse(url, await this.get(url, options));
  };

  private async get(url: URL, options: RequestInit): Promise<Fetched> {
    let asked = this.remembered.get(url.href);
    if (!asked) {
      asked = this.send(url, 'GET', options);
      this.remembered.set(url.href, asked);
    }
    try {
      const fetched = await asked;
      if (!TELLING.has(fetched.status)) return this.good.get(url.href) ?? fetched;
      // What it says now counts, also that it is not there any more.
      if (fetched.status === 200 && fetched.body.length <= MAX_KEPT_BYTES) this.good.set(url.href, fetched);
      else this.good.delete(url.href);
      return fetched;
    } catch (error) {
      // Nothing was tried, so the next request tries.
      if (error instanceof NoSlotError && this.remembered.get(url.href) === asked) this.remembered.delete(url.href);
      const good = this.good.get(url.href);
      if (good) return good;
      const context = requestContext.getStore();
      if (context && error instanceof NoSlotError) context.isBusy = true;
      throw error;
    }
  }

  private async send(url: URL, method: string, options: RequestInit): Promise<Fetched> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const purpose = { host: url.hostname, network: method === 'GET' ? requestContext.getStore()?.network : undefined };
    const giveBack = method === 'GET' ? this.slots.take(purpose) : await this.slots.wait(purpose, signal);
    let client: Client | undefined;
    try {
      const addresses = await this.addresses.resolve(url.hostname, signal);
      // Dial exactly the addresses that were checked; a second DNS lookup could return others.
      const lookup: LookupFunction = (_hostname, { all }, callback) => {
        if (all) callback(null, [...addresses]);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      };
      client = new Client(url.origin, { connect: { lookup }, maxResponseSize: MAX_BYTES });
      const headers = { ...Object.fromEntries(new Headers(options.headers)), 'user-agent': 'Toolyard' };
      const body = options.body === undefined || options.body === null ? undefined : textOf(options.body);
      const response = await client.request({
        method: method,
        path: url.pathname + url.search,
        headers: { ...headers, 'accept-encoding': 'identity' },
        body,
        signal,
      });
      return {
        status: response.statusCode,
        headers: kept(response.headers),
        body: Buffer.from(await response.body.arrayBuffer()),
      };
    } finally {
      giveBack();
      await client?.destroy();
    }
  }
}

/** Keeps only the headers that the library reads. */
function kept(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    ['cache-control', 'expires', 'content-type'].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** The library sends forms and JSON. */
function textOf(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('This body is not supported.');
}

function toResponse(url: URL, { status, headers, body }: Fetched): Response {
  const isEmpty = [101, 204, 205, 304].includes(status);
  return new Response(isEmpty ? null : completed(url, body), { status, headers });
}

/**
 * A metadata document with what the rules for clients add to it; anything else as it is. The size is that of what was
 * received, because the library limits it.
 */
function completed(url: URL, body: Buffer): Buffer {
  if (body.length > 5 * 1_024) return body;
  const document = jsonOf(body);
  if (document?.client_id !== url.href) return body;
  return Buffer.from(JSON.stringify(selfDescribed({ token_endpoint_auth_method: 'none', ...document })));
}

function jsonOf(body: Buffer): ClientMetadata | undefined {
  try {
    const value = JSON.parse(body.toString('utf8')) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
