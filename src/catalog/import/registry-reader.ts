import { Injectable } from '@nestjs/common';
import type { LookupFunction } from 'node:net';
import { Client } from 'undici';
import { RefusedAddressError, TargetAddresses } from '../../outbound/target-addresses';
import { SourceError } from './source-error';

/** For one whole page. */
const DEADLINE_MS = 30_000;
/** For one page of at most 100 versions; the largest versions have about 60 kB. */
const MAX_BYTES = 32 * 1_024 * 1_024;
const PAGE_SIZE = 100;

/** One page of a registry. */
export interface RegistryPage {
  entries: unknown[];
  /** Undefined on the last page. */
  nextCursor?: string;
}

/** Reads registries of the generic API over HTTP; only from addresses that webhooks may reach. */
@Injectable()
export class RegistryReader {
  constructor(private readonly addresses: TargetAddresses) {}

  /**
   * @param base as returned by `registryAddress`
   * @param cursor from the previous page
   * @param changedSince only changes after this time, including deletions
   * @param signal aborts the request
   * @throws SourceError with the source's response
   */
  async page(
    base: string,
    cursor: string | null,
    changedSince: Date | null,
    signal?: AbortSignal,
  ): Promise<RegistryPage> {
    const url = new URL(`${base}/v0.1/servers`);
    url.searchParams.set('limit', String(PAGE_SIZE));
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    if (changedSince) url.searchParams.set('updated_since', changedSince.toISOString());
    const body = await this.get(url, signal);
    const { servers, metadata } = (body ?? {}) as { servers?: unknown; metadata?: { nextCursor?: unknown } | null };
    if (!Array.isArray(servers)) throw new SourceError(`${url.origin} did not return a list of servers.`);
    const next = metadata?.nextCursor;
    return { entries: servers, nextCursor: typeof next === 'string' && next !== '' ? next : undefined };
  }

  private async get(url: URL, shutdown?: AbortSignal): Promise<unknown> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = shutdown ? AbortSignal.any([deadline, shutdown]) : deadline;
    let client: Client | undefined;
    try {
      const addresses = await this.addresses.resolve(url.hostname, signal);
      // Dial exactly the addresses that were checked; a second DNS lookup could return others.
      const lookup: LookupFunction = (_hostname, options, callback) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      };
      client = new Client(url.origin, { connect: { lookup }, maxResponseSize: MAX_BYTES });
      const response = await client.request({
        method: 'GET',
        path: url.pathname + url.search,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Toolyard' },
        signal,
      });
      const { statusCode, headers } = response;
      if (statusCode !== 200) {
        await response.body.dump();
        const isRefusal = statusCode >= 400 && statusCode < 500 && statusCode !== 429;
        const to = statusCode >= 300 && statusCode < 400 ? '; redirects are not followed, use the final address' : '';
        throw new SourceError(`${url.origin} answered ${statusCode}${to}.`, isRefusal);
      }
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        await response.body.dump();
        throw new SourceError(`${url.origin} used the content encoding ${String(encoding)}, which was not requested.`);
      }
      return await response.body.json();
    } catch (error) {
      if (error instanceof SourceError) throw error;
      throw new SourceError(`${url.origin} cannot be read: ${reasonOf(error, deadline)}`, false, { cause: error });
    } finally {
      await client?.destroy();
    }
  }
}

function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return `it took longer than ${DEADLINE_MS / 1_000} seconds.`;
  if (error instanceof RefusedAddressError) {
    return 'its address is not public; WEBHOOKS_ALLOWED_NETWORKS can allow it.';
  }
  if (error instanceof SyntaxError) return `the response is not JSON (${error.message}).`;
  if ((error as { code?: unknown }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return `the response for one page exceeds ${MAX_BYTES / 1_024 / 1_024} MiB.`;
  }
  return error instanceof Error ? error.message || error.name : String(error);
}
