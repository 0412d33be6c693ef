import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { inTransaction } from '../../database/transaction';
import { ErrorCode, NotFoundError } from '../../http/errors';
import { Page, PageQuery, Pages } from '../../http/page';
import { BundleFinder } from '../bundle-finder';
import { compareEntries } from '../entries/entry-changes';
import { restoreAll } from '../entries/entry-edits';
import type { EntryList, ListEntry } from '../entries/entry-list';
import { readEntries, saveEntries } from '../entries/entry-store';
import { BundleVersionReader, requireVersion } from './bundle-version-reader';
import {
  BundleVersionDetailOut,
  BundleVersionOut,
  BundleVersionRow,
  toBundleVersion,
  VersionComparisonOut,
} from './bundle-version.dto';

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
  ) {}

  /**
   * Latest first, without their entries.
   *
   * @throws NotFoundError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleVersionOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.readable(this.dataSource.manager, caller, bundleId);
    const rows = await this.dataSource.query<BundleVersionRow[]>(
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
    const [row] = await manager.query<BundleVersionRow[]>(`${SELECT} AND number = $2`, [bundle.id, number]);
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
   * Makes the entries of a version the bundle's again, as a new version; nothing happens if they are the same.
   *
   * @returns the version that the bundle is at now
   * @throws NotFoundError; ForbiddenError
   */
  async restore(caller: Caller, bundleId: string, number: number): Promise<BundleVersionDetailOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      requireVersion(bundle, number);
      const entries = await readEntries(manager, bundle.id);
      const [snapshot] = await manager.query<{ entries: EntryList }[]>(
        `SELECT entries FROM bundle_versions WHERE bundle_id = $1 AND number = $2`,
        [bundle.id, number],
      );
      if (!snapshot) throw new NotFoundError(ErrorCode.BundleVersionNotFound, number);
      const living = await manager.query<{ id: string }[]>(
        `SELECT id FROM listings WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE`,
        [snapshot.entries.flatMap(({ listing_id }: ListEntry) => listing_id ?? [])],
      );
      const restored = restoreAll(entries, snapshot.entries, new Set(living.map(({ id }) => id)));
      const version = await saveEntries(manager, bundle, entries, restored, {
        action: 'RESTORED',
        madeBy: caller.userId,
        restoredFrom: number,
      });
      const [row] = await manager.query<BundleVersionRow[]>(`${SELECT} AND number = $2`, [bundle.id, version]);
      const shown = await this.reader.entries(manager, caller, { ...bundle, version }, version);
      return { ...toBundleVersion(row as BundleVersionRow), entries: shown };
    });
  }
}
