import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import type { Columns } from '../../database/columns';
import { outsideRequests } from '../../database/deadline';
import { execute, many } from '../../database/statements';
import { NotFoundError, UnavailableError } from '../../errors/errors';
import type { Image } from '../../http/answers/image-answer';
import { ErrorCode } from '../catalog.errors';
import { ListingFinder } from '../listings/listing-finder';
import { usableIcons } from '../listings/usable-icons';
import type { FetchedIcon } from './fetched-icon.entity';
import { KEEP_FAILURE, KEEP_ICON, KEPT_ICONS } from './fetched-icon.sql';
import { IconFailedError, type IconFailure, IconFetch } from './icon-fetch';
import { NoIconSlotError } from './icon-slots';

const HOUR_MS = 3_600_000;

/** How long a picture is shown before its address is asked again. */
const GOOD_MS = 7 * 24 * HOUR_MS;

/** How long an address without a picture is not asked again. Servers that are away come back sooner than files appear. */
const RETRY_MS: Readonly<Record<IconFailure, number>> = {
  busy: HOUR_MS,
  unreachable: HOUR_MS,
  missing: 24 * HOUR_MS,
  no_picture: 24 * HOUR_MS,
  refused: 24 * HOUR_MS,
  too_large: 24 * HOUR_MS,
};

const RETRY_AFTER_S = 5;

type KeptIcon = Pick<Columns<FetchedIcon>, 'src' | 'media_type' | 'bytes' | 'failure' | 'due_at'>;

/**
 * The pictures of listings. They are fetched when someone asks for them and kept in the database, with what failed and
 * until when. Concurrent requests to a process for one address share a fetch.
 */
@Injectable()
export class Icons implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Icons.name);
  private readonly shutdown = new AbortController();
  /** By address. Its size is bounded by the slots. */
  private readonly pending = new Map<string, Promise<Image | undefined>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: ListingFinder,
    private readonly fetcher: IconFetch,
    private readonly clock: Clock,
  ) {}

  /** Before connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled(this.pending.values());
  }

  /**
   * The best icon of the latest version that can be shown. One that is due is fetched again for later requests.
   *
   * @throws NotFoundError for the listing, also if the caller may not see it, and for a listing without such an icon;
   *   UnavailableError if too many icons are being fetched
   */
  async get(caller: Caller, listingId: string): Promise<Image> {
    const { id, icons } = await this.finder.listed(this.dataSource.manager, caller, listingId);
    const addresses = usableIcons(icons);
    const kept = await this.kept(addresses);
    for (const src of addresses) {
      const image = await this.imageOf(src, kept.get(src));
      if (image) return image;
    }
    throw new NotFoundError(ErrorCode.IconNotFound, id);
  }

  private async kept(addresses: readonly string[]): Promise<Map<string, KeptIcon>> {
    if (addresses.length === 0) return new Map();
    const rows = await many<KeptIcon>(this.dataSource, KEPT_ICONS, [addresses]);
    return new Map(rows.map((row) => [row.src, row]));
  }

  private async imageOf(src: string, kept: KeptIcon | undefined): Promise<Image | undefined> {
    const image = imageIn(kept);
    if (!this.isDue(kept)) return image;
    const fetching = this.share(src);
    if (!image) return fetching;
    fetching.catch((error: unknown) => this.noteFailure(src, error));
    return image;
  }

  /** @throws UnavailableError */
  private share(src: string): Promise<Image | undefined> {
    const others = this.pending.get(src);
    if (others) return others;
    // Not within the request, which may leave: others wait for the same.
    const fetching = outsideRequests(() => this.fetch(src)).finally(() => this.pending.delete(src));
    this.pending.set(src, fetching);
    return fetching;
  }

  private async fetch(src: string): Promise<Image | undefined> {
    // Someone may have fetched it since the request looked that asks for it.
    const kept = (await this.kept([src])).get(src);
    if (!this.isDue(kept)) return imageIn(kept);
    try {
      const image = await this.fetcher.fetch(src, this.shutdown.signal);
      const [now, dueAt] = this.period(GOOD_MS);
      await execute(this.dataSource, KEEP_ICON, [src, image.mediaType, image.bytes, now, dueAt]);
      return image;
    } catch (error) {
      if (error instanceof NoIconSlotError || this.shutdown.signal.aborted)
        throw new UnavailableError(ErrorCode.ServiceUnavailable, 'Too many icons are being fetched.', RETRY_AFTER_S);
      if (!(error instanceof IconFailedError)) throw error;
      const [now, dueAt] = this.period(RETRY_MS[error.reason]);
      await execute(this.dataSource, KEEP_FAILURE, [src, error.reason, now, dueAt]);
      return undefined;
    }
  }

  private isDue(kept: KeptIcon | undefined): boolean {
    return !kept || kept.due_at.getTime() <= this.clock.now().getTime();
  }

  /** From now on. */
  private period(ms: number): [from: Date, to: Date] {
    const from = this.clock.now();
    return [from, new Date(from.getTime() + ms)];
  }

  /** Nothing is lost: the next request tries again. */
  private noteFailure(src: string, error: unknown): void {
    this.logger.debug(`The icon ${src} was not fetched again: ${(error as Error).message}`);
  }
}

function imageIn(kept: KeptIcon | undefined): Image | undefined {
  return kept?.bytes && kept.media_type ? { bytes: kept.bytes, mediaType: kept.media_type } : undefined;
}
