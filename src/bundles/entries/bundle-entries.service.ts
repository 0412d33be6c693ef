import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, type Fault, NotFoundError, ValidationError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { secretFaults } from '../launch/secrets';
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
import { type EntryListings, listingKey, readListings, type WantedListing } from './entry-listings';
import type { EntryConfig, EntryList, EntrySettings, ListEntry } from './entry-list';
import { readEntries, saveEntries } from './entry-store';
import { entriesSeenBy } from './entry-view.sql';

const LIST = 'bundle entries';

/** $1 bundle, $2 person, $3 whether they are of its people. */
const SELECT = `${entriesSeenBy({
  from: 'bundle_entries AS entries',
  columns: 'entries.position, entries.created_at, entries.updated_at',
  version: 'entries.version',
  person: '$2',
  insider: '$3',
})}
  AND entries.bundle_id = $1`;

/** $4 the position after which the page begins, $5 rows. */
const PAGE = `${SELECT} AND ($4::int IS NULL OR entries.position > $4) ORDER BY entries.position LIMIT $5`;

/** What a request says of an entry, with the listing, and the version of it, that it is for. */
interface GivenEntry {
  /** Left out where nothing of the listing is needed. */
  listingId?: string | null;
  version?: string | null;
  config?: EntryConfig | null;
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
    private readonly environment: Environment,
  ) {}

  /**
   * In the order of their positions, as far as the caller may know of them.
   *
   * @throws NotFoundError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleEntryOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.readable(this.dataSource.manager, caller, bundleId);
    const rows = await many<BundleEntryRow>(this.dataSource, PAGE, [
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
      const { listing_id: listingId, version, config } = input;
      const given: GivenEntry[] = [{ config, listingId, version, loc: ['body'] }];
      const listings = await readListings(manager, caller, wantedBy(given));
      const after = addOne(entries, entries, listings, input, ['body']);
      refuseSecrets(listings, given);
      await this.save(manager, caller, bundle, entries, after, 'ENTRY_ADDED');
      const made = after.find((entry) => !entries.some(({ id }) => id === entry.id));
      return this.read(manager, caller, bundle, String(made?.id));
    });
  }

  /** @throws NotFoundError; ForbiddenError; ValidationError for a position past the end or a secret */
  async update(caller: Caller, bundleId: string, id: string, input: BundleEntryUpdate): Promise<BundleEntryOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId);
      const given = [givenOf(requireEntry(entries, id), input, ['body'])];
      const listings = await readListings(manager, caller, wantedBy(given));
      const after = updateOne(entries, listings, { ...input, id }, ['body']);
      refuseSecrets(listings, given);
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
      const given = input.entries.map(({ id, listing_id, ...settings }, index): GivenEntry => {
        const loc = ['body', 'entries', String(index)];
        const ids = [id, listing_id].map((one) => one?.toLowerCase());
        const known = entries.find((entry) => ids.includes(entry.id) || ids.includes(entry.listing_id ?? ''));
        return known ? givenOf(known, settings, loc) : { ...settings, listingId: listing_id, loc };
      });
      const listings = await readListings(manager, caller, wantedBy(given));
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
        ...update.map(({ id, ...settings }, index): GivenEntry => {
          const known = entries.find((entry) => entry.id === id.toLowerCase());
          const loc = ['body', 'update', String(index)];
          return known ? givenOf(known, settings, loc) : { loc };
        }),
        ...add.map(({ listing_id, version, config }, index): GivenEntry => {
          return { listingId: listing_id, version, config, loc: ['body', 'add', String(index)] };
        }),
      ];
      const listings = await readListings(manager, caller, wantedBy(given));
      let after = removeAll(entries, remove);
      for (const [index, one] of update.entries())
        after = updateOne(after, listings, one, ['body', 'update', String(index)]);
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
        `The bundle is now at version ${bundle.version}, not at ${baseVersion}. Read it again.`,
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
    const mostVersions = this.environment.limits.versionsPerBundle;
    return saveEntries(manager, bundle, before, after, { action, madeBy: userId, mostVersions });
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
    const rows = await many<BundleEntryRow>(manager, `${SELECT} ORDER BY entries.position`, parameters);
    return rows.map(toBundleEntry);
  }

  private async read(manager: EntityManager, caller: Caller, bundle: BundleRow, id: string): Promise<BundleEntryOut> {
    const parameters = [bundle.id, caller.userId, bundle.is_insider, id];
    const row = await maybe<BundleEntryRow>(manager, `${SELECT} AND entries.id = $4`, parameters);
    if (!row) throw new NotFoundError(ErrorCode.BundleEntryNotFound, id);
    return toBundleEntry(row);
  }
}

/** What a request says of an entry that the bundle has: of its listing, what a new configuration or version needs. */
function givenOf(entry: ListEntry, { version, config }: EntrySettings, loc: string[]): GivenEntry {
  if (!config && version == null) return { loc };
  return { listingId: entry.listing_id, version: version === undefined ? entry.version : version, config, loc };
}

/** The versions of listings whose documents or names are needed. */
function wantedBy(given: readonly GivenEntry[]): WantedListing[] {
  return given.flatMap(({ listingId, version }) =>
    listingId ? [{ listingId: listingId.toLowerCase(), version: version ?? null }] : [],
  );
}

/** @throws ValidationError for each value of a variable that the `server.json` of its listing calls a secret */
function refuseSecrets(listings: EntryListings, given: readonly GivenEntry[]): void {
  const faults = given.flatMap(({ config, listingId, version, loc }): Fault[] => {
    const listing = listings.get(listingKey(listingId ?? '', version ?? null));
    if (!config || !listing) return [];
    return secretFaults(config, listing.server).map((fault) => ({ ...fault, loc: [...loc, 'config', ...fault.loc] }));
  });
  if (faults.length > 0) throw new ValidationError(faults);
}
