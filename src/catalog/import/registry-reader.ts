import { Injectable } from '@nestjs/common';
import type { LookupFunction } from 'node:net';
import { Client } from 'undici';
import { RefusedAddressError, TargetAddresses } from '../../outbound/target-addresses';
import { SourceError } from './source-error';

/** For the whole of one page, in milliseconds. */
const DEADLINE_MS = 30_000;
/** Of one page of at most 100 versions, the largest of which are some 60 kB. */
const MOST_BYTES = 32 * 1_024 * 1_024;
const PAGE = 100;

/** One page of a registry. */
export interface RegistryPage {
  entries: unknown[];
  /** Undefined on the last page. */
  nextCursor?: string;
}

/** Reads registries of the generic API over HTTP, from addresses that webhooks may reach too and from no others. */
@Injectable()
export class RegistryReader {
  constructor(private readonly addresses: TargetAddresses) {}

  /**
   * @param base as `registryAddress` gives it
   * @param cursor of the page before
   * @param changedSince only what changed after, deleted entries included
   * @param signal ends the reading at once
   * @throws SourceError; it says what the source answered
   */
  async page(
    base: string,
    cursor: string | null,
    changedSince: Date | null,
    signal?: AbortSignal,
  ): Promise<RegistryPage> {
    const url = new URL(`${base}/v0.1/servers`);
    url.searchParams.set('limit', String(PAGE));
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    if (changedSince) url.searchParams.set('updated_since', changedSince.toISOString());
    const body = await this.get(url, signal);
    const { servers, metadata } = (body ?? {}) as { servers?: unknown; metadata?: { nextCursor?: unknown } | null };
    if (!Array.isArray(servers)) throw new SourceError(`${url.origin} did not answer with a list of servers.`);
    const next = metadata?.nextCursor;
    return { entries: servers, nextCursor: typeof next === 'string' && next !== '' ? next : undefined };
  }

  private async get(url: URL, ending?: AbortSignal): Promise<unknown> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = ending ? AbortSignal.any([deadline, ending]) : deadline;
    let client: Client | undefined;
    try {
      const addresses = await this.addresses.resolve(url.hostname, signal);
      // What was vetted is what is dialled; no second question to the DNS comes between.
      const lookup: LookupFunction = (_hostname, options, callback) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      };
      client = new Client(url.origin, { connect: { lookup }, maxResponseSize: MOST_BYTES });
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
        throw new SourceError(`${url.origin} answered in the encoding ${String(encoding)}, which was not requested.`);
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
    return 'its address is not public (WEBHOOKS_ALLOWED_NETWORKS says which others may be reached).';
  }
  if (error instanceof SyntaxError) return `its answer is not JSON (${error.message}).`;
  if ((error as { code?: unknown }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return `its answer for one page exceeds ${MOST_BYTES / 1_024 / 1_024} MiB.`;
  }
  return error instanceof Error ? error.message || error.name : String(error);
}
