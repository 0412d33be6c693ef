import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { inTransaction } from '../../database/transaction';
import { ConflictError, ErrorCode, type Fault, NotFoundError, ValidationError } from '../../http/errors';
import { Page, PageQuery, Pages } from '../../http/page';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { secretFaults } from '../export/secrets';
import type { VersionAction } from '../versions/version-action';
import {
  BundleEntriesChange,
  BundleEntriesOut,
  BundleEntriesReplace,
  BundleEntryAdd,
  BundleEntryOut,
  BundleEntryRow,
  BundleEntryUpdate,
  toBundleEntry,
} from './bundle-entry.dto';
import { configsFault } from './entry-config';
import { addOne, removeAll, replaceAll, requireEntry, updateOne } from './entry-edits';
import { type EntryListing, readListings } from './entry-listings';
import { type EntryConfig, type EntryList } from './entry-list';
import { readEntries, saveEntries } from './entry-store';
import { entriesSeenBy } from './entry-view.sql';

const LIST = 'bundle entries';

/** $1 bundle, $2 person, $3 whether they are of its people. */
const SELECT = `${entriesSeenBy('bundle_entries AS entries', 'entries.position, entries.created_at, entries.updated_at', '$2', '$3')}
  AND entries.bundle_id = $1`;

/** $4 the position after which the page begins, $5 rows. */
const PAGE = `${SELECT} AND ($4::int IS NULL OR entries.position > $4) ORDER BY entries.position LIMIT $5`;

/** A configuration in a request, with the listing that it is for. */
interface GivenConfig {
  config: EntryConfig | null | undefined;
  listingId: string | null | undefined;
  loc: string[];
}

/**
 * The entries of a bundle. Every change takes the bundle's lock, reads all entries, makes a new list of them and saves
 * it as one version (docs/adr/0010). Whether listings are there or archived does not matter to any of them, but for one
 * that is put in.
 */
@Injectable()
export class BundleEntriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly pages: Pages,
  ) {}

  /**
   * In the order of their positions, as far as the caller may know of them.
   *
   * @throws NotFoundError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleEntryOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.readable(this.dataSource.manager, caller, bundleId);
    const rows = await this.dataSource.query<BundleEntryRow[]>(PAGE, [
      bundleId,
      caller.userId,
      bundle.is_insider,
      request.after ?? null,
      request.take,
    ]);
    return this.pages.close(LIST, request, rows, toBundleEntry, (row) => String(row.position));
  }

  /** @throws NotFoundError */
  async get(caller: Caller, bundleId: string, id: string): Promise<BundleEntryOut> {
    const { manager } = this.dataSource;
    return this.read(manager, caller, await this.finder.readable(manager, caller, bundleId), id);
  }

  /**
   * Puts a listing into a bundle, at the end or at a position.
   *
   * @throws NotFoundError for a bundle or listing that the caller may not see; ForbiddenError; ConflictError when the
   *   bundle holds the listing already or has no room; ValidationError for a position past the end or a secret
   */
  async add(caller: Caller, bundleId: string, input: BundleEntryAdd): Promise<BundleEntryOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId);
      const listings = await readListings(manager, caller, [input.listing_id.toLowerCase()]);
      const after = addOne(entries, entries, listings, input, ['body']);
      refuseSecrets(listings, [{ config: input.config, listingId: input.listing_id, loc: ['body'] }]);
      await this.save(manager, caller, bundle, entries, after, 'ENTRY_ADDED');
      const made = after.find((entry) => !entries.some(({ id }) => id === entry.id));
      return this.read(manager, caller, bundle, String(made?.id));
    });
  }

  /** @throws NotFoundError; ForbiddenError; ValidationError for a position past the end or a secret */
  async update(caller: Caller, bundleId: string, id: string, input: BundleEntryUpdate): Promise<BundleEntryOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId);
      const { listing_id: listingId } = requireEntry(entries, id);
      const listings = await readListings(manager, caller, input.config && listingId ? [listingId] : []);
      const after = updateOne(entries, { ...input, id }, ['body']);
      refuseSecrets(listings, [{ config: input.config, listingId, loc: ['body'] }]);
      await this.save(manager, caller, bundle, entries, after, 'ENTRY_CHANGED');
      return this.read(manager, caller, bundle, id);
    });
  }

  /** @throws NotFoundError; ForbiddenError */
  async remove(caller: Caller, bundleId: string, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId);
      await this.save(manager, caller, bundle, entries, removeAll(entries, [id]), 'ENTRY_REMOVED');
    });
  }

  /**
   * Makes the given entries the only ones, in their order.
   *
   * @throws NotFoundError for a bundle, entry or listing; ForbiddenError; ConflictError when the bundle is at another
   *   version than the request is based on; ValidationError for an entry that is given twice or a secret
   */
  async replace(caller: Caller, bundleId: string, input: BundleEntriesReplace): Promise<BundleEntriesOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId, input.base_version);
      const given = input.entries.map(({ id, listing_id, config }, index): GivenConfig => {
        const known = entries.find((entry) => entry.id === id?.toLowerCase());
        return { config, listingId: listing_id ?? known?.listing_id, loc: ['body', 'entries', String(index)] };
      });
      const listings = await readListings(manager, caller, listingIds(given));
      const after = replaceAll(entries, listings, input.entries);
      refuseSecrets(listings, given);
      return this.saveAll(manager, caller, bundle, entries, after);
    });
  }

  /**
   * Takes out, changes and puts in, in this order.
   *
   * @throws the same as `replace`; ConflictError also for a listing that is there already
   */
  async change(
    caller: Caller,
    bundleId: string,
    { remove = [], update = [], add = [], base_version }: BundleEntriesChange,
  ): Promise<BundleEntriesOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId, base_version);
      const given = [
        ...update.map(({ id, config }, index): GivenConfig => {
          const known = entries.find((entry) => entry.id === id.toLowerCase());
          return { config, listingId: known?.listing_id, loc: ['body', 'update', String(index)] };
        }),
        ...add.map(({ listing_id, config }, index): GivenConfig => {
          return { config, listingId: listing_id, loc: ['body', 'add', String(index)] };
        }),
      ];
      const listings = await readListings(manager, caller, listingIds(given));
      let after = removeAll(entries, remove);
      for (const [index, one] of update.entries()) after = updateOne(after, one, ['body', 'update', String(index)]);
      for (const [index, one] of add.entries()) {
        after = addOne(after, entries, listings, one, ['body', 'add', String(index)]);
      }
      refuseSecrets(listings, given);
      return this.saveAll(manager, caller, bundle, entries, after);
    });
  }

  private async open(
    manager: EntityManager,
    caller: Caller,
    bundleId: string,
    baseVersion?: number | null,
  ): Promise<{ bundle: BundleRow; entries: EntryList }> {
    const bundle = await this.finder.modifiable(manager, caller, bundleId);
    if (baseVersion != null && baseVersion !== bundle.version) {
      throw new ConflictError(
        ErrorCode.BundleConflict,
        `The bundle is at version ${bundle.version} by now, not at ${baseVersion}. Read it again.`,
      );
    }
    return { bundle, entries: await readEntries(manager, bundle.id) };
  }

  private async save(
    manager: EntityManager,
    { userId }: Caller,
    bundle: BundleRow,
    before: EntryList,
    after: EntryList,
    action: VersionAction,
  ): Promise<number> {
    const fault = configsFault(before, after);
    if (fault) throw new ValidationError([fault]);
    return saveEntries(manager, bundle, before, after, { action, madeBy: userId });
  }

  private async saveAll(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    before: EntryList,
    after: EntryList,
  ): Promise<BundleEntriesOut> {
    const version = await this.save(manager, caller, bundle, before, after, 'ENTRIES_CHANGED');
    return { version, entries: await this.readAll(manager, caller, bundle) };
  }

  /** All of them: `MOST_ENTRIES` bounds them, but for a bundle from before there was a bound. */
  private async readAll(manager: EntityManager, caller: Caller, bundle: BundleRow): Promise<BundleEntryOut[]> {
    const parameters = [bundle.id, caller.userId, bundle.is_insider];
    const rows = await manager.query<BundleEntryRow[]>(`${SELECT} ORDER BY entries.position`, parameters);
    return rows.map(toBundleEntry);
  }

  private async read(manager: EntityManager, caller: Caller, bundle: BundleRow, id: string): Promise<BundleEntryOut> {
    const parameters = [bundle.id, caller.userId, bundle.is_insider, id];
    const [row] = await manager.query<BundleEntryRow[]>(`${SELECT} AND entries.id = $4`, parameters);
    if (!row) throw new NotFoundError(ErrorCode.BundleEntryNotFound, id);
    return toBundleEntry(row);
  }
}

/** Only those whose documents or names are needed: the ones that are put in, and the ones that are configured. */
function listingIds(given: readonly GivenConfig[]): string[] {
  return given.flatMap(({ listingId }) => (listingId ? [listingId.toLowerCase()] : []));
}

/** @throws ValidationError for each value of a variable that the `server.json` of its listing calls a secret */
function refuseSecrets(listings: ReadonlyMap<string, EntryListing>, given: readonly GivenConfig[]): void {
  const faults = given.flatMap(({ config, listingId, loc }): Fault[] => {
    const listing = listings.get(listingId?.toLowerCase() ?? '');
    if (!config || !listing) return [];
    return secretFaults(config, listing.server).map((fault) => ({ ...fault, loc: [...loc, 'config', ...fault.loc] }));
  });
  if (faults.length > 0) throw new ValidationError(faults);
}
