import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { NotFoundError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { Bundle } from '../bundle.entity';
import { compareEntries, NO_CHANGES } from '../entries/entry-changes';
import { restoreAll } from '../entries/entry-edits';
import { requireRestoredPins } from '../entries/entry-listings';
import { readEntries, saveEntries } from '../entries/entry-store';
import { BundleVersionReader, requireVersion } from './bundle-version-reader';
import {
  BundleVersionDetailOut,
  BundleVersionOut,
  BundleVersionRow,
  toBundleVersion,
  VersionComparisonOut,
  VersionRestore,
} from './bundle-version.dto';
import { BundleVersion } from './bundle-version.entity';
import type { VersionAction } from './version-action';
import { hasNews, nextVersion, type VersionCause, writeVersion } from './version-store';

const LIST = 'bundle versions';

const SELECT = `
  SELECT number, action, changes, entry_count, restored_from, made_by, created_at FROM bundle_versions WHERE bundle_id = $1`;

/** The versions of the entries of a bundle (docs/adr/0010). */
@Injectable()
export class BundleVersionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly reader: BundleVersionReader,
    private readonly pages: Pages,
    private readonly environment: Environment,
  ) {}

  /**
   * Latest first, without their entries.
   *
   * @throws NotFoundError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleVersionOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.readable(this.dataSource.manager, caller, bundleId);
    const rows = await many<BundleVersionRow>(
      this.dataSource,
      `${SELECT} AND ($2::int IS NULL OR number < $2) ORDER BY number DESC LIMIT $3`,
      [bundle.id, request.after ?? null, request.take],
    );
    const numbered = rows.map((row) => ({ ...row, id: String(row.number) }));
    return this.pages.close(LIST, request, numbered, toBundleVersion);
  }

  /** @throws NotFoundError */
  async get(caller: Caller, bundleId: string, number: number): Promise<BundleVersionDetailOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.readable(manager, caller, bundleId);
    requireVersion(bundle, number);
    const row = await maybe<BundleVersionRow>(manager, `${SELECT} AND number = $2`, [bundle.id, number]);
    if (!row) throw new NotFoundError(ErrorCode.BundleVersionNotFound, number);
    return { ...toBundleVersion(row), entries: await this.reader.entries(manager, caller, bundle, number) };
  }

  /**
   * What has changed from one version to another, which may be the earlier one.
   *
   * @param to the latest one when it is left out
   * @throws NotFoundError
   */
  async compare(caller: Caller, bundleId: string, from: number, to?: number): Promise<VersionComparisonOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.readable(manager, caller, bundleId);
    const other = to ?? bundle.version;
    requireVersion(bundle, from);
    requireVersion(bundle, other);
    const before = await this.reader.entries(manager, caller, bundle, from);
    const after = await this.reader.entries(manager, caller, bundle, other);
    return { from, to: other, ...compareEntries(before, after) };
  }

  /**
   * Records the newest versions of the listings as a new version, where a listing that an entry follows has a newer one
   * than the latest version of the bundle recorded; else nothing happens. Publishing a listing makes no version of any
   * bundle: this is how its people say that they have looked at what is new.
   *
   * @returns the version that the bundle is at now
   * @throws NotFoundError; ForbiddenError; ConflictError when the bundle has as many versions as allowed
   */
  async update(caller: Caller, bundleId: string): Promise<BundleVersionDetailOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      if (!(await hasNews(manager, bundle))) return this.read(manager, caller, bundle);
      const cause = this.causeOf(caller, 'LISTINGS_UPDATED');
      const version = nextVersion(bundle, NO_CHANGES, cause);
      await manager.getRepository(Bundle).update({ id: bundle.id }, { version });
      await writeVersion(manager, bundle.id, version, NO_CHANGES, cause);
      const { id: bundle_id, name, slug, visibility, org_id, owner_id } = bundle;
      await record(manager, {
        type: 'bundle.updated',
        orgId: org_id,
        ownerId: owner_id,
        data: { bundle_id, name, slug, visibility, changed: ['entries'], bundle_version: version, org_id },
      });
      return this.read(manager, caller, { ...bundle, version });
    });
  }

  /**
   * Makes the entries of a version the bundle's again, as a new version; nothing happens if they are the same.
   *
   * @returns the version that the bundle is at now
   * @throws NotFoundError; ForbiddenError; ConflictError when the bundle has as many versions as allowed, or when entries
   *   would be pinned to versions that were deleted
   */
  async restore(
    caller: Caller,
    bundleId: string,
    number: number,
    { pin }: VersionRestore,
  ): Promise<BundleVersionDetailOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      requireVersion(bundle, number);
      const entries = await readEntries(manager, bundle.id);
      const snapshot = await manager
        .getRepository(BundleVersion)
        .findOne({ select: { entries: true }, where: { bundleId: bundle.id, number } });
      if (!snapshot) throw new NotFoundError(ErrorCode.BundleVersionNotFound, number);
      const living = await many<{ id: string }>(
        manager,
        `SELECT id FROM listings WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE`,
        [snapshot.entries.flatMap(({ listing_id }) => listing_id ?? [])],
      );
      const ids = new Set(living.map(({ id }) => id));
      const restored = restoreAll(entries, snapshot.entries, ids, pin ?? false);
      if (pin) await requireRestoredPins(manager, entries, restored);
      const cause = { ...this.causeOf(caller, 'RESTORED'), restoredFrom: number };
      const version = await saveEntries(manager, bundle, entries, restored, cause);
      return this.read(manager, caller, { ...bundle, version });
    });
  }

  /** The latest version. */
  private async read(manager: EntityManager, caller: Caller, bundle: BundleRow): Promise<BundleVersionDetailOut> {
    const { id, version } = bundle;
    const row = await maybe<BundleVersionRow>(manager, `${SELECT} AND number = $2`, [id, version]);
    if (!row) throw new NotFoundError(ErrorCode.BundleVersionNotFound, version);
    return { ...toBundleVersion(row), entries: await this.reader.entries(manager, caller, bundle, version) };
  }

  private causeOf({ userId }: Caller, action: VersionAction): VersionCause {
    return { action, madeBy: userId, mostVersions: this.environment.limits.versionsPerBundle };
  }
}
