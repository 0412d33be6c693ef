import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { inTransaction } from '../../database/transaction';
import { ValidationError } from '../../errors/errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import type { VersionAction } from '../versions/version-action';
import {
  BundleEntriesChange,
  BundleEntriesOut,
  BundleEntriesReplace,
  BundleEntryAdd,
  BundleEntryOut,
  BundleEntryUpdate,
  toBundleEntry,
} from './bundle-entry.dto';
import { totalSizeFault } from './entry-config';
import { addOne, listingsToRead, removeAll, replaceAll, updateOne } from './entry-edits';
import { readListings } from './entry-listings';
import type { EntryList } from './entry-list';
import { EntryReader } from './entry-reader';
import { readEntries, saveEntries } from './entry-store';
import { requireBaseVersion } from '../versions/base-version';
import { noteIn } from '../versions/version-note';
import { VersionParts } from '../versions/version-parts';

const LIST = 'bundle entries';

/**
 * The entries of a bundle. Every change locks the bundle, reads all entries, computes the new list and saves it as one
 * version (docs/adr/0010). Only adding an entry requires that its listing exists.
 */
@Injectable()
export class BundleEntriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly reader: EntryReader,
    private readonly pages: Pages,
    private readonly environment: Environment,
    private readonly parts: VersionParts,
  ) {}

  /**
   * In the order of their positions, as far as the caller may see them.
   *
   * @throws NotFoundError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleEntryOut>> {
    const { manager } = this.dataSource;
    const page = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    const rows = await this.reader.page(manager, caller, bundle, page);
    return page.close(rows, toBundleEntry, (row) => String(row.position));
  }

  /** @throws NotFoundError */
  async get(caller: Caller, bundleId: string, id: string): Promise<BundleEntryOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    return this.reader.one(manager, caller, bundle, id);
  }

  /**
   * Adds a listing to a bundle, at the end or at a position.
   *
   * @throws NotFoundError for a bundle or listing that the caller may not see; ForbiddenError; ConflictError if the
   *   bundle contains the listing, has no room, or the listing takes no `endpoint_url`; ValidationError for a position past
   *   the end, or a secret
   */
  async add(caller: Caller, bundleId: string, input: BundleEntryAdd): Promise<BundleEntryOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId);
      const listings = await readListings(manager, caller, listingsToRead(entries, { add: [input] }));
      const { list, entry } = addOne(entries, entries, listings, input, ['body']);
      await this.save(manager, caller, bundle, entries, list, 'ENTRY_ADDED');
      return this.reader.one(manager, caller, bundle, entry.id);
    });
  }

  /**
   * @throws NotFoundError; ForbiddenError; ConflictError if the listing takes no `endpoint_url`; ValidationError for a
   *   position past the end, or a secret
   */
  async update(caller: Caller, bundleId: string, id: string, input: BundleEntryUpdate): Promise<BundleEntryOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId);
      const update = { ...input, id };
      const listings = await readListings(manager, caller, listingsToRead(entries, { update: [update] }));
      const list = updateOne(entries, listings, update, ['body']);
      await this.save(manager, caller, bundle, entries, list, 'ENTRY_CHANGED');
      return this.reader.one(manager, caller, bundle, id);
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
   * Makes the requested entries the only ones, in their order.
   *
   * @throws NotFoundError for a bundle, entry or listing; ForbiddenError; ConflictError if the bundle is at another
   *   version than the request is based on, or a listing takes no `endpoint_url`; ValidationError for an entry that is
   *   requested twice, or a secret
   */
  async replace(caller: Caller, bundleId: string, input: BundleEntriesReplace): Promise<BundleEntriesOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId, input.base_version);
      const listings = await readListings(manager, caller, listingsToRead(entries, input));
      const list = replaceAll(entries, listings, input.entries);
      return this.saveAll(manager, caller, bundle, { before: entries, after: list, note: noteIn(input) });
    });
  }

  /**
   * Removes, changes and adds entries, in this order.
   *
   * @throws the same as `replace`; ConflictError also if the bundle contains a listing that is to be added
   */
  async change(caller: Caller, bundleId: string, input: BundleEntriesChange): Promise<BundleEntriesOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const { bundle, entries } = await this.open(manager, caller, bundleId, input.base_version);
      const listings = await readListings(manager, caller, listingsToRead(entries, input));
      let list = removeAll(entries, input.remove ?? []);
      for (const [index, update] of (input.update ?? []).entries()) {
        list = updateOne(list, listings, update, ['body', 'update', String(index)]);
      }
      for (const [index, addition] of (input.add ?? []).entries()) {
        ({ list } = addOne(list, entries, listings, addition, ['body', 'add', String(index)]));
      }
      return this.saveAll(manager, caller, bundle, { before: entries, after: list, note: noteIn(input) });
    });
  }

  private async open(
    manager: EntityManager,
    caller: Caller,
    bundleId: string,
    baseVersion?: number | null,
  ): Promise<{ bundle: BundleRow; entries: EntryList }> {
    const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
    requireBaseVersion(bundle, baseVersion);
    return { bundle, entries: await readEntries(manager, bundle.id) };
  }

  private async save(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    before: EntryList,
    after: EntryList,
    action: VersionAction,
    note?: string,
  ): Promise<number> {
    const fault = totalSizeFault(before, after);
    if (fault) throw new ValidationError([fault]);
    const mostVersions = this.environment.limits.versionsPerBundle;
    const cause = { action, madeBy: caller.userId, note };
    const version = await saveEntries(manager, bundle, before, after, cause, mostVersions);
    await this.parts.entriesSaved(manager, caller, { ...bundle, version }, before, after);
    return version;
  }

  private async saveAll(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    { before, after, note }: { before: EntryList; after: EntryList; note: string | undefined },
  ): Promise<BundleEntriesOut> {
    const version = await this.save(manager, caller, bundle, before, after, 'ENTRIES_CHANGED', note);
    return { version, entries: await this.reader.all(manager, caller, bundle) };
  }
}
