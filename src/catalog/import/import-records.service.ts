import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many } from '../../database/statements';
import { ForbiddenError } from '../../errors/errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { ImportRunOut, QuarantinedOut, QuarantineRow, toImportRun, toQuarantined } from './import.dto';
import type { ImportRun } from './import-run';

const RUNS = 'imports';
const QUARANTINE = 'import quarantine';

/** The history of imports and the quarantine, for platform administrators. */
@Injectable()
export class ImportRecords {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
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

  /** Newest first. @throws ForbiddenError */
  async quarantine(caller: Caller, query: PageQuery): Promise<Page<QuarantinedOut>> {
    requireAdmin(caller);
    const page = this.pages.open(QUARANTINE, query, {});
    const [createdAt = null, digest = null] = page.position<[string, string]>() ?? [];
    const rows = await many<QuarantineRow>(
      this.dataSource,
      `SELECT * FROM import_quarantine
       WHERE $1::timestamptz IS NULL OR (created_at, digest) < ($1, decode($2, 'hex'))
       ORDER BY created_at DESC, digest DESC LIMIT $3`,
      [createdAt, digest, page.take],
    );
    return page.close(rows, toQuarantined, (row) => [row.created_at, row.digest.toString('hex')]);
  }
}

function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin) throw new ForbiddenError('Only platform administrators can see imports (PLATFORM_ADMINS).');
}
