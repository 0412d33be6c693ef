import { Injectable } from '@nestjs/common';
import type { LookupFunction } from 'node:net';
import { Client } from 'undici';
import { TargetAddresses } from '../../outbound/target-addresses';

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

/** The source cannot be read; what was read before stays. */
export class SourceError extends Error {
  /** @param isRefusal whether the source answered, and said no */
  constructor(
    message: string,
    readonly isRefusal = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SourceError';
  }
}

/** Reads registries of the generic API over HTTP, from addresses that webhooks may reach too and from no others. */
@Injectable()
export class RegistryReader {
  constructor(private readonly addresses: TargetAddresses) {}

  /**
   * @param base the registry's address, with or without `/v0.1`
   * @param cursor of the page before
   * @param changedSince only what changed after, deleted entries included
   * @throws SourceError; it says what the source answered
   */
  async page(base: string, cursor: string | undefined, changedSince: Date | null): Promise<RegistryPage> {
    const url = new URL(`${base.replace(/\/+$/, '').replace(/\/v0(\.1)?(\/servers)?$/, '')}/v0.1/servers`);
    url.searchParams.set('limit', String(PAGE));
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    if (changedSince) url.searchParams.set('updated_since', changedSince.toISOString());
    const body = await this.get(url);
    const { servers, metadata } = (body ?? {}) as { servers?: unknown; metadata?: { nextCursor?: unknown } };
    if (!Array.isArray(servers)) throw new SourceError(`${url.origin} answered no list of servers.`);
    const next = metadata?.nextCursor;
    return { entries: servers, nextCursor: typeof next === 'string' && next !== '' ? next : undefined };
  }

  private async get(url: URL): Promise<unknown> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
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
        headers: { accept: 'application/json', 'user-agent': 'Toolyard' },
        signal,
      });
      if (response.statusCode !== 200) {
        await response.body.dump();
        const isRefusal = response.statusCode >= 400 && response.statusCode < 500 && response.statusCode !== 429;
        throw new SourceError(`${url.origin} answered ${response.statusCode}.`, isRefusal);
      }
      return await response.body.json();
    } catch (error) {
      if (error instanceof SourceError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new SourceError(`${url.origin} cannot be read: ${reason}`, false, { cause: error });
    } finally {
      await client?.destroy();
    }
  }
}
