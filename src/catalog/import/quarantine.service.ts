import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { execute, many, maybe, one } from '../../database/statements';
import { ConflictError, requireFound, ValidationError } from '../../errors/errors';
import type { EventTypes } from '../../events/event-types';
import { isObject } from '../../http/requests/json-object';
import { type Page, Pages } from '../../http/requests/page';
import { AccountLog, type AnyAccountChange, byUser } from '../../users/account-log/account-log';
import { ErrorCode } from '../catalog.errors';
import { RegistryChanges } from '../registry-changes';
import { readMapFile } from './category-map-file';
import { type CategoryMap, NO_MAP } from './category-map';
import { ImportPage } from './import-page';
import { requireAdmin } from './import-administration';
import type { QuarantineState } from './import-quarantine.entity';
import { importFaults } from './imported-document';
import type { Unusable } from './incoming';
import { entryWith } from './quarantine-decisions';
import {
  QuarantinedDetailOut,
  type QuarantineDetailRow,
  QuarantinedOut,
  type QuarantineOutcomeOut,
  type QuarantineQuery,
  type QuarantineRow,
  toQuarantined,
  toQuarantinedDetail,
  withoutPlaces,
} from './quarantine.dto';
import {
  CHANGE_REASONS,
  DECIDE,
  FIND_IMPORTED,
  listQuarantine,
  LOCK_QUARANTINED,
  MAX_SHOWN_BYTES,
  READ_QUARANTINED,
} from './quarantine.sql';

const QUARANTINE = 'import quarantine';

type HeldRow = QuarantineRow & { server: Record<string, unknown> | null };
type Action = Extract<keyof EventTypes, `import_document.${string}`>;

/** The documents that could not be imported, and what platform administrators do about them (ADR 12). */
@Injectable()
export class Quarantine {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly page: ImportPage,
    private readonly registry: RegistryChanges,
    private readonly log: AccountLog,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** Newest first. @throws ForbiddenError */
  async list(caller: Caller, query: QuarantineQuery): Promise<Page<QuarantinedOut>> {
    requireAdmin(caller);
    const { state, kind, source, with_document } = query;
    const page = this.pages.open(QUARANTINE, query, {
      state,
      kind,
      source,
      with_document: with_document === undefined ? undefined : String(with_document),
    });
    const [createdAt = null, digest = null] = page.position<[string, string]>() ?? [];
    const filters = (['kind', 'source'] as const).filter((column) => page.filter[column] !== undefined);
    const rows = await many<QuarantineRow>(this.dataSource, listQuarantine(filters), [
      page.filter.state ?? 'OPEN',
      createdAt,
      digest,
      page.take,
      page.filter.with_document !== 'false',
      ...filters.map((column) => page.filter[column]),
    ]);
    return page.close(rows, toQuarantined, (row) => [row.created_at, row.digest.toString('hex')]);
  }

  /** @throws ForbiddenError, NotFoundError */
  async get(caller: Caller, id: string): Promise<QuarantinedDetailOut> {
    requireAdmin(caller);
    return this.read(this.dataSource.manager, id);
  }

  /**
   * Imports a document as it is, once what was in its way has gone.
   *
   * @returns whether it was imported; if not, it stays with the reasons of now
   * @throws ForbiddenError, NotFoundError; ConflictError if it was decided about, cannot be stored, or its source is being
   *   imported
   */
  async retry(caller: Caller, id: string): Promise<QuarantineOutcomeOut> {
    requireAdmin(caller);
    const map = await this.categoryMap();
    return this.registry.change(async (manager) => {
      const row = await this.hold(manager, id, ['OPEN']);
      if (row.document === null) {
        throw conflict(
          'This document could not be stored, so only its errors are kept. The next import reads it again.',
        );
      }
      const { rejected } = await this.apply(manager, row, row.document, map);
      const [unusable] = rejected;
      if (unusable) {
        const { reasons, kind } = unusable;
        await execute(manager, CHANGE_REASONS, [id, JSON.stringify(reasons), kind]);
        return { is_imported: false, listing_id: null, faults: withoutPlaces(reasons) };
      }
      await execute(manager, `DELETE FROM import_quarantine WHERE id = $1`, [id]);
      await this.note(manager, caller, 'import_document.retried', row, {});
      return { is_imported: true, listing_id: await importedListing(manager, row.name, row.source), faults: [] };
    });
  }

  /**
   * Imports an edited document in place of one in quarantine. The original is kept, with the edited one. From then on the
   * edited document stands for it, as long as the source sends it; another document of the source for this version goes to the
   * quarantine, and does not replace the edited one.
   *
   * @param server without errors of its own (`importFaults`)
   * @throws ForbiddenError, NotFoundError; ConflictError as for `retry`; ValidationError if the name or the version is taken
   */
  async importEdited(caller: Caller, id: string, server: Record<string, unknown>): Promise<QuarantineOutcomeOut> {
    requireAdmin(caller);
    const map = await this.categoryMap();
    return this.registry.change(async (manager) => {
      const row = await this.hold(manager, id, ['OPEN']);
      await this.decide(manager, caller, id, 'EDITED', server);
      const { rejected } = await this.apply(manager, row, entryWith(row.document, server), map);
      if (rejected[0]) throw new ValidationError(importFaults(rejected[0]));
      const { name, version } = server as { name: string; version: string };
      const changed = changedFields(row.document, server);
      const data = { imported_name: name, imported_version: version, changed };
      await this.note(manager, caller, 'import_document.edited', row, data);
      return { is_imported: true, listing_id: await importedListing(manager, name, row.source), faults: [] };
    });
  }

  /**
   * Lets imports leave a document out, as long as its source sends it.
   *
   * @throws ForbiddenError, NotFoundError; ConflictError if it was edited, or its source is being imported
   */
  async dismiss(caller: Caller, id: string): Promise<QuarantinedDetailOut> {
    requireAdmin(caller);
    return this.registry.change(async (manager) => {
      const row = await this.hold(manager, id, ['OPEN', 'DISMISSED']);
      if (row.state === 'OPEN') {
        await this.decide(manager, caller, id, 'DISMISSED', null);
        await this.note(manager, caller, 'import_document.dismissed', row, {});
      }
      return this.read(manager, id);
    });
  }

  /**
   * Takes a decision back. What was imported stays as it is.
   *
   * @throws ForbiddenError, NotFoundError; ConflictError if its source is being imported
   */
  async reopen(caller: Caller, id: string): Promise<QuarantinedDetailOut> {
    requireAdmin(caller);
    return this.registry.change(async (manager) => {
      const row = await this.hold(manager, id, ['OPEN', 'EDITED', 'DISMISSED']);
      if (row.state !== 'OPEN') {
        await execute(manager, DECIDE, [id, 'OPEN', null, null, null]);
        await this.note(manager, caller, 'import_document.reopened', row, {});
      }
      return this.read(manager, id);
    });
  }

  private async read(manager: EntityManager, id: string): Promise<QuarantinedDetailOut> {
    const row = await maybe<QuarantineDetailRow>(manager, READ_QUARANTINED, [id, MAX_SHOWN_BYTES]);
    return toQuarantinedDetail(requireFound(row, ErrorCode.ImportDocumentNotFound, id));
  }

  /** Keeps imports of the source away, then locks the document. An import holds the same lock while it runs. */
  private async hold(manager: EntityManager, id: string, states: readonly QuarantineState[]): Promise<HeldRow> {
    const found = await maybe<{ source: string }>(manager, `SELECT source FROM import_quarantine WHERE id = $1`, [id]);
    const { source } = requireFound(found, ErrorCode.ImportDocumentNotFound, id);
    const { held } = await one<{ held: boolean }>(
      manager,
      `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held`,
      [`import ${source}`],
    );
    if (!held) throw conflict(`An import of ${source} is running. Try again when it has ended.`);
    const row = requireFound(
      await maybe<HeldRow>(manager, LOCK_QUARANTINED, [id]),
      ErrorCode.ImportDocumentNotFound,
      id,
    );
    if (states.includes(row.state)) return row;
    throw conflict(`This document was ${row.state.toLowerCase()} already. Reopen it first.`);
  }

  private apply(
    manager: EntityManager,
    { source }: HeldRow,
    entry: unknown,
    map: CategoryMap,
  ): Promise<{ rejected: readonly Unusable[] }> {
    return this.page.apply(manager, source, [entry], map, this.clock.now(), false);
  }

  private async decide(
    manager: EntityManager,
    { userId }: Caller,
    id: string,
    state: QuarantineState,
    server: Record<string, unknown> | null,
  ): Promise<void> {
    await execute(manager, DECIDE, [id, state, server && JSON.stringify(server), userId, this.clock.now()]);
  }

  private note(
    manager: EntityManager,
    { userId }: Caller,
    action: Action,
    { id, source, name, version }: HeldRow,
    more: object,
  ): Promise<void> {
    return this.log.record(manager, {
      action,
      userId: null,
      by: byUser(userId),
      subject: { type: 'import_document', id },
      data: { org_id: null, document_id: id, source, name, version, ...more },
    } as AnyAccountChange);
  }

  /** The one that scheduled imports use. @throws ConflictError if it cannot be used */
  private async categoryMap(): Promise<CategoryMap> {
    try {
      return (await readMapFile(this.environment.importCategoryMap)) ?? NO_MAP;
    } catch (error) {
      throw conflict(`IMPORT_CATEGORY_MAP cannot be used: ${(error as Error).message}`);
    }
  }
}

async function importedListing(manager: EntityManager, name: string | null, source: string): Promise<string | null> {
  const row = await maybe<{ id: string }>(manager, FIND_IMPORTED, [name?.toLowerCase() ?? '', source]);
  return row?.id ?? null;
}

/** The names of the fields of a `server.json` that differ. */
function changedFields(document: unknown, server: Record<string, unknown>): string[] {
  const before = isObject(document) && isObject(document.server) ? document.server : {};
  const names = new Set([...Object.keys(before), ...Object.keys(server)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name], server[name])).slice(0, MAX_CHANGED);
}

/** The audit log names at most so many changed fields. */
const MAX_CHANGED = 50;

function conflict(detail: string): ConflictError {
  return new ConflictError(ErrorCode.ImportConflict, detail);
}
