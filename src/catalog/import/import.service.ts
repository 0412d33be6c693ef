import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { inSession } from '../../database/session';
import { execute, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { type Counter, Metrics } from '../../metrics/metrics';
import { inSpan } from '../../tracing/tracing';
import { type CategoryMap, categoryMapFault, ensureCategories } from './category-map';
import { readFilePages } from './file-pages';
import { ImportPage, type PageCounts } from './import-page';
import type { ImportRun } from './import-run';
import { ImportRunRow } from './import-run.entity';
import { isAddress, registryAddress } from './registry-address';
import { type RegistryPage, RegistryReader } from './registry-reader';
import { SourceError } from './source-error';

/** Ten times the pages of the largest known registry. */
const MAX_PAGES = 10_000;

/**
 * How far an incremental import looks back before the last change that it has seen: many registries set the time of a
 * change before others can see it.
 */
const OVERLAP = `interval '10 minutes'`;

/** A killed process's connection holds the lock until its last statement ends, so we retry for 3 seconds. */
const LOCK_TRIES = 30;
const LOCK_TRY_MS = 100;

const RESULTS = { result: ['finished', 'failed', 'interrupted'] } as const;

/** Where pages are read from. Files have a digest, since a cursor is valid only for the file that it came from. */
interface Source {
  name: string;
  digest: Buffer | null;
  page: (run: ImportRun, signal?: AbortSignal) => RegistryPage | Promise<RegistryPage>;
}

/**
 * Where listings come from: the address of a registry, or a file with a list in the same format (optionally gzipped).
 */
export interface ImportOptions {
  from: string;
  map: CategoryMap;
  /** Only changes since the last finished run; everything if there is none. */
  incremental?: boolean;
  /** Called after each page. */
  onProgress?: (run: ImportRun) => void;
  /** Stops the run after the current page; the next run resumes there. */
  signal?: AbortSignal;
}

/**
 * Imports the versions of a registry page by page. Each page is written with its progress in one transaction, so an
 * interrupted import resumes where it stopped, and existing versions are not written again.
 */
@Injectable()
export class Import {
  private readonly runs: Counter<typeof RESULTS>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly page: ImportPage,
    private readonly reader: RegistryReader,
    private readonly clock: Clock,
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.runs = metrics.counter('toolyard_imports_total', 'Import runs of this process that ended.', RESULTS);
  }

  /**
   * @returns the run: finished, failed with a reason, or still running if the signal stopped it
   * @throws SourceError for an invalid address, a file that cannot be read, or if another import of this source is
   *   running; any database error
   */
  async run(options: ImportOptions): Promise<ImportRun> {
    const source = await this.open(options.from);
    const lock = `import ${source.name}`;
    // One connection for everything: only the lock holder writes, and losing the connection ends both.
    return inSession(this.dataSource, async ({ manager }) => {
      if (!(await acquireLock(manager, lock)))
        throw new SourceError(`Another import of this source (${source.name}) is running.`);
      try {
        return await this.counted(() => this.follow(manager, source, options));
      } finally {
        await execute(manager, `SELECT pg_advisory_unlock(hashtextextended($1, 0))`, [lock]).catch(() => undefined);
      }
    });
  }

  /**
   * Checks and claims a scheduled run of a source: of several processes that ask at once, one gets true.
   *
   * @param intervalMinutes between two scheduled runs
   * @throws SourceError
   */
  async isDue(from: string, intervalMinutes: number): Promise<boolean> {
    const now = this.clock.now();
    const next = new Date(now.getTime() + intervalMinutes * 60_000);
    const due = await execute(
      this.dataSource,
      `INSERT INTO import_sources (address, next_run_at) VALUES ($1, $3)
       ON CONFLICT ON CONSTRAINT import_sources_pkey DO UPDATE SET next_run_at = $3
       WHERE import_sources.next_run_at IS NULL OR import_sources.next_run_at <= $2`,
      [this.nameOf(from), now, next],
    );
    return due > 0;
  }

  /** Brings the next scheduled run of a source forward to this many minutes from now, unless it is due earlier. */
  async makeDue(from: string, minutes: number): Promise<void> {
    const at = new Date(this.clock.now().getTime() + minutes * 60_000);
    await execute(
      this.dataSource,
      `UPDATE import_sources SET next_run_at = least(next_run_at, $2::timestamptz) WHERE address = $1`,
      [this.nameOf(from), at],
    );
  }

  /** Records a scheduled run that could not start, so that it appears in the list of runs. */
  async noteFailure(from: string, reason: string): Promise<void> {
    const name = this.nameOf(from);
    const now = this.clock.now();
    await inTransaction(this.dataSource, async (manager) => {
      await execute(manager, `INSERT INTO import_sources (address) VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
      await manager.getRepository(ImportRunRow).insert({
        id: newId(),
        source: name,
        mode: 'incremental',
        status: 'failed',
        error: reason,
        startedAt: now,
        updatedAt: now,
        finishedAt: now,
      });
    });
    this.runs.add({ result: 'failed' });
  }

  private async counted(follow: () => Promise<ImportRun>): Promise<ImportRun> {
    try {
      const run = await follow();
      this.runs.add({ result: run.status === 'running' ? 'interrupted' : run.status });
      return run;
    } catch (error) {
      this.runs.add({ result: 'failed' });
      throw error;
    }
  }

  private async open(from: string): Promise<Source> {
    const name = this.nameOf(from);
    if (!isAddress(from)) {
      const { page, digest } = await readFilePages(from);
      return { name, digest, page: ({ next_cursor }) => page(next_cursor) };
    }
    const page: Source['page'] = (run, signal) => this.reader.page(name, run.next_cursor, run.changed_since, signal);
    return { name, digest: null, page };
  }

  /** All files are one source, wherever they are stored. @throws SourceError */
  nameOf(from: string): string {
    return isAddress(from) ? registryAddress(from, this.environment.webhooksAllowHttp) : 'file';
  }

  private async follow(
    manager: EntityManager,
    source: Source,
    { map, incremental = false, onProgress, signal }: ImportOptions,
  ): Promise<ImportRun> {
    let run = await inTransaction(manager, (tx) => this.begin(tx, source, incremental, map));
    const fault = await categoryMapFault(manager, map);
    if (fault !== undefined) return this.fail(manager, run, fault, false);
    const cursors = new Set<string>();
    while (run.status === 'running' && !signal?.aborted) {
      try {
        run = await inSpan('import page', {}, async (span) => {
          const page = await source.page(run, signal);
          if (page.nextCursor !== undefined && (cursors.has(page.nextCursor) || cursors.size >= MAX_PAGES)) {
            throw new SourceError('The source does not end: it repeated a cursor or returned too many pages.', true);
          }
          if (page.nextCursor !== undefined) cursors.add(page.nextCursor);
          span?.setAttributes({ 'toolyard.import.run': run.id, 'toolyard.import.entries': page.entries.length });
          return inTransaction(manager, (tx) => this.take(tx, run, page, map));
        });
      } catch (error) {
        if (!(error instanceof SourceError)) {
          // Best effort: the database itself may have failed.
          await this.fail(manager, run, 'Internal error; see the log.', false).catch(() => undefined);
          throw error;
        }
        if (signal?.aborted) return run;
        // If the source rejected its own cursor, the next run starts from the beginning.
        return this.fail(manager, run, error.message, error.isRefusal);
      }
      onProgress?.(run);
    }
    return run;
  }

  /** Starts a run, or resumes an interrupted one at its cursor if the parameters are the same. */
  private async begin(
    manager: EntityManager,
    { name, digest }: Source,
    incremental: boolean,
    map: CategoryMap,
  ): Promise<ImportRun> {
    await execute(manager, `INSERT INTO import_sources (address) VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
    const lastChange = await maybe<{ since: Date | null }>(
      manager,
      `SELECT changed_until - ${OVERLAP} AS since FROM import_sources WHERE address = $1`,
      [name],
    );
    await ensureCategories(manager, map);
    // We hold the lock, so no other process is running these.
    await execute(
      manager,
      `UPDATE import_runs SET status = 'failed', error = 'It was cut short.', finished_at = updated_at
       WHERE source = $1 AND status = 'running'`,
      [name],
    );
    const since = incremental ? (lastChange?.since ?? null) : null;
    const mode = since ? 'incremental' : 'whole';
    const now = this.clock.now();
    const unfinished = await maybe<ImportRun>(
      manager,
      `UPDATE import_runs SET status = 'running', error = NULL, finished_at = NULL, updated_at = $3
       WHERE id = (SELECT id FROM import_runs WHERE source = $1 ORDER BY id DESC LIMIT 1)
         AND status <> 'finished' AND next_cursor IS NOT NULL AND mode = $2 AND changed_since IS NOT DISTINCT FROM $4
         AND digest IS NOT DISTINCT FROM $5
       RETURNING *`,
      [name, mode, now, since, digest],
    );
    if (unfinished) return unfinished;
    return one<ImportRun>(
      manager,
      `INSERT INTO import_runs (id, source, mode, status, changed_since, started_at, updated_at, digest)
       VALUES ($1, $2, $3, 'running', $4, $5, $5, $6) RETURNING *`,
      [newId(), name, mode, since, now, digest],
    );
  }

  private async take(manager: EntityManager, run: ImportRun, page: RegistryPage, map: CategoryMap): Promise<ImportRun> {
    const now = this.clock.now();
    const { changedUntil, rejected: _, ...counts } = await this.page.apply(manager, run.source, page.entries, map, now);
    return this.note(manager, run, counts, changedUntil, page.nextCursor, now);
  }

  private async note(
    manager: EntityManager,
    { id, source }: ImportRun,
    counts: PageCounts,
    changedUntil: Date | null,
    nextCursor: string | undefined,
    now: Date,
  ): Promise<ImportRun> {
    const { seen, created, updated, unchanged, quarantined } = counts;
    const run = await one<ImportRun>(
      manager,
      `UPDATE import_runs
       SET seen = seen + $2, created = created + $3, updated = updated + $4, unchanged = unchanged + $5,
           quarantined = quarantined + $6, changed_until = greatest(changed_until, $7), next_cursor = $8, updated_at = $9::timestamptz,
           status = CASE WHEN $8::text IS NULL THEN 'finished' ELSE 'running' END,
           finished_at = CASE WHEN $8::text IS NULL THEN $9::timestamptz END
       WHERE id = $1 RETURNING *`,
      [id, seen, created, updated, unchanged, quarantined, changedUntil, nextCursor ?? null, now],
    );
    if (run.status === 'finished') {
      await execute(
        manager,
        `UPDATE import_sources SET changed_until = greatest(changed_until, least($2::timestamptz, $3::timestamptz))
         WHERE address = $1 AND changed_until IS DISTINCT FROM greatest(changed_until, least($2::timestamptz, $3::timestamptz))`,
        // A future timestamp would hide every change until that time.
        [source, run.changed_until, run.started_at],
      );
    }
    return run;
  }

  private async fail(manager: EntityManager, { id }: ImportRun, reason: string, restart: boolean): Promise<ImportRun> {
    const now = this.clock.now();
    return one<ImportRun>(
      manager,
      `UPDATE import_runs SET status = 'failed', error = $2, updated_at = $3, finished_at = $3,
         next_cursor = CASE WHEN NOT $4 THEN next_cursor END
       WHERE id = $1 RETURNING *`,
      [id, reason, now, restart],
    );
  }
}

/** Acquires the lock of a source, retrying for 3 seconds. */
async function acquireLock(manager: EntityManager, lock: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const sql = `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held`;
    const { held } = await one<{ held: boolean }>(manager, sql, [lock]);
    if (held || attempt === LOCK_TRIES) return held;
    await setTimeout(LOCK_TRY_MS);
  }
}
