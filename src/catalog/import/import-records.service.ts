import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { many } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { ErrorCode } from '../catalog.errors';
import {
  ImportOverviewOut,
  ImportRunOut,
  type ImportSourceRow,
  type QuarantineCountOut,
  toImportRun,
  toImportSource,
} from './import.dto';
import { requireAdmin } from './import-administration';
import type { ImportRun } from './import-run';
import { Import } from './import.service';
import { COUNT_KINDS, LIST_SOURCES } from './quarantine.sql';

const RUNS = 'imports';
/** An operator imports from few. */
const MAX_SOURCES = 100;

/** The history of imports and their sources, for platform administrators. */
@Injectable()
export class ImportRecords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly imports: Import,
    private readonly environment: Environment,
  ) {}

  /** Newest first. @throws ForbiddenError */
  async runs(caller: Caller, query: PageQuery): Promise<Page<ImportRunOut>> {
    requireAdmin(caller);
    const page = this.pages.open(RUNS, query, {});
    const rows = await many<ImportRun>(
      this.dataSource,
      `SELECT * FROM import_runs WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
      [page.after, page.take],
    );
    return page.close(rows, toImportRun);
  }

  /** @throws ForbiddenError */
  async overview(caller: Caller): Promise<ImportOverviewOut> {
    requireAdmin(caller);
    const { importFrom, importIntervalMinutes } = this.environment;
    const scheduled = importFrom === undefined ? undefined : this.imports.nameOf(importFrom);
    const sources = await many<ImportSourceRow>(this.dataSource, LIST_SOURCES, [MAX_SOURCES]);
    return {
      scheduled_source: scheduled ?? null,
      interval_minutes: importIntervalMinutes,
      sources: sources.map((row) => toImportSource(row, scheduled)),
      quarantine: await many<QuarantineCountOut>(this.dataSource, COUNT_KINDS),
    };
  }

  /**
   * Makes the scheduled import due.
   *
   * @throws ForbiddenError; ConflictError if there is none, or it is running
   */
  async start(caller: Caller): Promise<ImportOverviewOut> {
    const { scheduled_source: source, sources } = await this.overview(caller);
    const { importFrom } = this.environment;
    if (source === null || importFrom === undefined) {
      throw new ConflictError(ErrorCode.ImportConflict, 'No registry is imported by schedule: set IMPORT_FROM.');
    }
    if (sources.some(({ address, is_running }) => address === source && is_running)) {
      throw new ConflictError(ErrorCode.ImportConflict, `An import of ${source} is running.`);
    }
    await this.imports.makeDue(importFrom, 0);
    return this.overview(caller);
  }
}
