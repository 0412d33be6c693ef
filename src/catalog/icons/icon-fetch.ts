import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Client } from 'undici';
import { Environment } from '../../config/environment';
import type { Image } from '../../http/answers/image-answer';
import { RefusedAddressError, TargetAddresses } from '../../outbound/target-addresses';
import { IconSlots } from './icon-slots';
import { imageTypeOf } from './image-kind';

/** From the first look-up in the DNS to the last byte, redirects included, without the wait for a slot. */
const DEADLINE_MS = 4_000;

/** For a slot. */
const MAX_WAIT_MS = 4_000;

const MAX_BYTES = 64 * 1_024;

/** Hosts of pictures send browsers on to a store of theirs; each address is checked like the first. */
const MAX_REDIRECTS = 3;

/** Why there is no picture at an address. */
export const ICON_FAILURES = ['refused', 'unreachable', 'busy', 'missing', 'too_large', 'no_picture'] as const;
export type IconFailure = (typeof ICON_FAILURES)[number];

/** There is no usable picture at the address. */
export class IconFailedError extends Error {
  /** @param reason `busy`: its server may have it later */
  constructor(readonly reason: IconFailure) {
    super(`There is no picture: ${reason}.`);
  }
}

/** Fetches icons of listings, only from addresses that webhooks may reach. */
@Injectable()
export class IconFetch {
  private readonly slots = new IconSlots();

  constructor(
    private readonly addresses: TargetAddresses,
    private readonly environment: Environment,
  ) {}

  /**
   * @param src an address of `usableIcons`
   * @param shutdown ends the fetch
   * @throws IconFailedError; NoIconSlotError if too many icons are being fetched, also from this host alone
   */
  async fetch(src: string, shutdown: AbortSignal): Promise<Image> {
    let url = this.require(src);
    const startedAt = performance.now();
    let waitedMs = 0;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const waitingSince = performance.now();
      const release = await this.slots.take(
        url.hostname,
        AbortSignal.any([shutdown, AbortSignal.timeout(MAX_WAIT_MS)]),
      );
      waitedMs += performance.now() - waitingSince;
      try {
        const leftMs = Math.max(0, Math.ceil(DEADLINE_MS - (performance.now() - startedAt - waitedMs)));
        const found = await this.get(url, AbortSignal.any([shutdown, AbortSignal.timeout(leftMs)]));
        if (!('location' in found)) return found;
        url = this.require(found.location, url);
      } finally {
        release();
      }
    }
    throw new IconFailedError('missing');
  }

  /** @throws IconFailedError for an address that is not fetched, whatever it would answer */
  private require(text: string, base?: URL): URL {
    const url = absolute(text, base);
    const isPlain = url?.protocol === 'http:' && this.environment.webhooksAllowHttp && base?.protocol !== 'https:';
    if (!url || (url.protocol !== 'https:' && !isPlain) || url.username !== '' || url.password !== '')
      throw new IconFailedError('refused');
    return url;
  }

  private async get(url: URL, signal: AbortSignal): Promise<Image | { location: string }> {
    let client: Client | undefined;
    try {
      const addresses = await this.addresses.resolve(url.hostname, signal);
      // Dial exactly the addresses that were checked; a second DNS lookup could return others.
      const lookup: LookupFunction = (_hostname, options, callback) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      };
      client = new Client(url.origin, { connect: { lookup }, maxResponseSize: MAX_BYTES });
      const { statusCode, headers, body } = await client.request({
        method: 'GET',
        path: url.pathname + url.search,
        headers: {
          accept: 'image/png, image/jpeg, image/webp',
          'accept-encoding': 'identity',
          'user-agent': 'Toolyard',
        },
        signal,
      });
      // What is left unread ends with the connection, below.
      body.on('error', () => undefined);
      if (isRedirect(statusCode) && typeof headers.location === 'string') return { location: headers.location };
      if (statusCode !== 200) throw new IconFailedError(isBusy(statusCode) ? 'busy' : 'missing');
      const bytes = Buffer.from(await body.arrayBuffer());
      const mediaType = imageTypeOf(bytes);
      if (mediaType === undefined) throw new IconFailedError('no_picture');
      return { mediaType, bytes };
    } catch (error) {
      throw failureOf(error);
    } finally {
      await client?.destroy();
    }
  }
}

function absolute(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

function failureOf(error: unknown): IconFailedError {
  if (error instanceof IconFailedError) return error;
  if (error instanceof RefusedAddressError) return new IconFailedError('refused');
  const isTooLarge = (error as { code?: unknown }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
  return new IconFailedError(isTooLarge ? 'too_large' : 'unreachable');
}
