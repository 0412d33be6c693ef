import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { many, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { bundleUpdated } from '../bundle-updated';
import { compareEntries, NO_CHANGES } from '../entries/entry-changes';
import { readEntries, saveEntries } from '../entries/entry-store';
import { BundleVersionReader } from './bundle-version-reader';
import {
  BundleVersionDetailOut,
  BundleVersionOut,
  BundleVersionRow,
  toBundleVersion,
  VersionComparisonOut,
  VersionRestore,
} from './bundle-version.dto';
import {
  readExistingListings,
  readSnapshot,
  requireRestoredEndpoints,
  requireRestoredPins,
  restoredIds,
  restoreEntries,
} from './restore';
import { VersionParts } from './version-parts';
import { requireBaseVersion } from './base-version';
import { noteIn } from './version-note';
import { commitVersion, hasNewerListings } from './version-store';

const LIST = 'bundle versions';

const SELECT = `
  SELECT number, action, changes, entry_count, restored_from, note, made_by, created_at FROM bundle_versions WHERE bundle_id = $1`;

/** The versions of the entries of a bundle (docs/adr/0010). */
@Injectable()
export class BundleVersionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly reader: BundleVersionReader,
    private readonly pages: Pages,
    private readonly environment: Environment,
    private readonly parts: VersionParts,
  ) {}

  /**
   * Latest first, without their entries.
   *
   * @throws NotFoundError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleVersionOut>> {
    const page = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.findForReader(this.dataSource.manager, caller, bundleId);
    const rows = await many<BundleVersionRow>(
      this.dataSource,
      `${SELECT} AND ($2::int IS NULL OR number < $2) ORDER BY number DESC LIMIT $3`,
      [bundle.id, page.after, page.take],
    );
    return page.close(rows, toBundleVersion, (row) => String(row.number));
  }

  /** @throws NotFoundError */
  async get(caller: Caller, bundleId: string, number: number): Promise<BundleVersionDetailOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    return this.read(manager, caller, bundle, number);
  }

  /**
   * What has changed from one version to another, which may be an earlier one.
   *
   * @param to by default the latest
   * @throws NotFoundError
   */
  async compare(caller: Caller, bundleId: string, from: number, to?: number): Promise<VersionComparisonOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    const other = to ?? bundle.version;
    const before = await this.reader.entries(manager, caller, bundle, from);
    const after = await this.reader.entries(manager, caller, bundle, other);
    const parts = await this.parts.compare(manager, caller, bundle, from, other);
    return { from, to: other, ...compareEntries(before, after), ...parts };
  }

  /**
   * Records the newest versions of the listings as a new version, if an entry follows a listing that has a newer
   * version than the latest version of the bundle recorded. Publishing a listing creates no version of any bundle; with
   * this its editors accept what is new.
   *
   * @returns the version that the bundle is at now
   * @throws NotFoundError; ForbiddenError; ConflictError if the bundle has as many versions as allowed
   */
  async recordNewest(caller: Caller, bundleId: string): Promise<BundleVersionDetailOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      if (!(await hasNewerListings(manager, bundle))) return this.read(manager, caller, bundle, bundle.version);
      const cause = { action: 'LISTINGS_UPDATED', madeBy: caller.userId } as const;
      const version = await commitVersion(manager, bundle, NO_CHANGES, cause, this.mostVersions);
      await record(manager, bundleUpdated({ ...bundle, version }, ['entries']));
      return this.read(manager, caller, { ...bundle, version }, version);
    });
  }

  /**
   * Makes the entries of a version the current ones again, and what it said of their tools, as a new version; if all of it is
   * the same, nothing is written.
   *
   * @returns the version that the bundle is at now
   * @throws NotFoundError; ForbiddenError; ConflictError if the bundle is at another version than `base_version`, has as many versions as allowed, or if entries
   *   would be pinned to versions that were deleted, or get an `endpoint_url` that their listings do not allow any more
   */
  async restore(
    caller: Caller,
    bundleId: string,
    number: number,
    { pin, base_version: base, ...given }: VersionRestore,
  ): Promise<BundleVersionDetailOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      requireBaseVersion(bundle, base);
      const entries = await readEntries(manager, bundle.id);
      const snapshot = await readSnapshot(manager, bundle, number);
      const existingListings = await readExistingListings(manager, snapshot);
      const restored = restoreEntries(entries, snapshot, existingListings, pin ?? false);
      if (pin) await requireRestoredPins(manager, entries, restored);
      await requireRestoredEndpoints(manager, caller, entries, restored);
      const cause = { action: 'RESTORED', madeBy: caller.userId, restoredFrom: number, note: noteIn(given) } as const;
      const ids = restoredIds(restored, snapshot);
      const hasOtherParts = await this.parts.restore(manager, caller, bundle, { number, ids });
      let version = await saveEntries(manager, bundle, entries, restored, cause, this.mostVersions);
      if (hasOtherParts) {
        if (version === bundle.version)
          version = await commitVersion(manager, bundle, NO_CHANGES, cause, this.mostVersions);
        await record(manager, bundleUpdated({ ...bundle, version }, ['rules']));
      }
      return this.read(manager, caller, { ...bundle, version }, version);
    });
  }

  private async read(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    number: number,
  ): Promise<BundleVersionDetailOut> {
    const entries = await this.reader.entries(manager, caller, bundle, number);
    const row = await one<BundleVersionRow>(manager, `${SELECT} AND number = $2`, [bundle.id, number]);
    return { ...toBundleVersion(row), entries };
  }

  private get mostVersions(): number {
    return this.environment.limits.versionsPerBundle;
  }
}
