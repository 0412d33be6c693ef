import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { execute, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { type CategoryMap, categoryMapFault, ensureCategories } from './category-map';
import { readFilePages } from './file-pages';
import { ImportPage, type PageCounts } from './import-page';
import type { ImportRun } from './import-run';
import { ImportRunRow } from './import-run.entity';
import { isAddress, registryAddress } from './registry-address';
import { type RegistryPage, RegistryReader } from './registry-reader';
import { SourceError } from './source-error';

/** Ten times as many as the largest known registry has. */
const MOST_PAGES = 10_000;

/**
 * How far an incremental import looks back behind the last change that it knows: many registries stamp a change before
 * others can see it.
 */
const OVERLAP = `interval '10 minutes'`;

/** The connection of a process that was killed holds its lock until its last statement has come to its end. */
const LOCK_TRIES = 30;
const LOCK_TRY_MS = 100;

/** What pages are read from; of a file the digest, since a place in one file means nothing in another. */
interface Source {
  name: string;
  digest: Buffer | null;
  page: (run: ImportRun, signal?: AbortSignal) => RegistryPage | Promise<RegistryPage>;
}

/** Where listings come from: the address of a registry, or a file with a list of the same form (gzip or not). */
export interface ImportOptions {
  from: string;
  map: CategoryMap;
  /** Only what changed since the last run that came to its end; all of it if there was none. */
  incremental?: boolean;
  /** Told after each page. */
  onProgress?: (run: ImportRun) => void;
  /** Ends the run after the page that is being written; the next one goes on from there. */
  signal?: AbortSignal;
}

/**
 * Takes the versions of a registry over, page by page, each page with its progress in one transaction: what is
 * interrupted goes on where it was, and what is there already is not written again.
 */
@Injectable()
export class Import {
  constructor(
    private readonly dataSource: DataSource,
    private readonly page: ImportPage,
    private readonly reader: RegistryReader,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * @returns the run, finished; or failed, with the reason, or still running when the signal ended it
   * @throws SourceError for a source that is none, a file that cannot be read, or when another import of this source is
   *   under way; what the database throws
   */
  async run(options: ImportOptions): Promise<ImportRun> {
    const source = await this.open(options.from);
    const lock = `import ${source.name}`;
    // One connection for all of it: who writes is who holds the lock, and with the connection both end.
    const session = this.dataSource.createQueryRunner();
    const { manager } = session;
    try {
      if (!(await isAlone(manager, lock)))
        throw new SourceError(`Another import of this source (${source.name}) is running.`);
      try {
        return await this.follow(manager, source, options);
      } finally {
        await execute(manager, `SELECT pg_advisory_unlock(hashtextextended($1, 0))`, [lock]).catch(() => undefined);
      }
    } finally {
      await session.release();
    }
  }

  /**
   * Whether a scheduled run of a source is due. Of several processes that ask at once one is told so, and has it.
   *
   * @param intervalMinutes between two of them
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

  /** Makes a scheduled run of a source due in so many minutes, unless it is earlier. */
  async makeDue(from: string, minutes: number): Promise<void> {
    const at = new Date(this.clock.now().getTime() + minutes * 60_000);
    await execute(
      this.dataSource,
      `UPDATE import_sources SET next_run_at = least(next_run_at, $2::timestamptz) WHERE address = $1`,
      [this.nameOf(from), at],
    );
  }

  /** Records that a scheduled run could not even begin, where runs are listed. */
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

  /** A file counts as the same source wherever it lies: what it holds says whose listings they are. */
  private nameOf(from: string): string {
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
        const page = await source.page(run, signal);
        if (page.nextCursor !== undefined && (cursors.has(page.nextCursor) || cursors.size >= MOST_PAGES)) {
          throw new SourceError('The source does not end: it returned a cursor that it had returned before.', true);
        }
        if (page.nextCursor !== undefined) cursors.add(page.nextCursor);
        run = await inTransaction(manager, (tx) => this.take(tx, run, page, map));
      } catch (error) {
        if (!(error instanceof SourceError)) {
          // As well as it can be told: the database may be what failed.
          await this.fail(manager, run, 'It failed on our side; see the log.', false).catch(() => undefined);
          throw error;
        }
        if (signal?.aborted) return run;
        // A source that does not know its own cursor any more is asked from the beginning the next time.
        return this.fail(manager, run, error.message, error.isRefusal);
      }
      onProgress?.(run);
    }
    return run;
  }

  /** Begins a run, or takes up one that was cut short: at the same place, with the same question. */
  private async begin(
    manager: EntityManager,
    { name, digest }: Source,
    incremental: boolean,
    map: CategoryMap,
  ): Promise<ImportRun> {
    await execute(manager, `INSERT INTO import_sources (address) VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
    const known = await maybe<{ since: Date | null }>(
      manager,
      `SELECT changed_until - ${OVERLAP} AS since FROM import_sources WHERE address = $1`,
      [name],
    );
    await ensureCategories(manager, map);
    // Whoever holds the lock knows that none of these lives.
    await execute(
      manager,
      `UPDATE import_runs SET status = 'failed', error = 'It was cut short.', finished_at = updated_at
       WHERE source = $1 AND status = 'running'`,
      [name],
    );
    const since = incremental ? (known?.since ?? null) : null;
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
    const { changedUntil, ...counts } = await this.page.apply(manager, run.source, page.entries, map, now);
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
        // A time that has not come yet would hide all changes until it has.
        [source, run.changed_until, run.started_at],
      );
    }
    return run;
  }

  private async fail(
    manager: EntityManager,
    { id }: ImportRun,
    reason: string,
    startAnew: boolean,
  ): Promise<ImportRun> {
    const now = this.clock.now();
    return one<ImportRun>(
      manager,
      `UPDATE import_runs SET status = 'failed', error = $2, updated_at = $3, finished_at = $3,
         next_cursor = CASE WHEN NOT $4 THEN next_cursor END
       WHERE id = $1 RETURNING *`,
      [id, reason, now, startAnew],
    );
  }
}

/** Takes the lock of a source, waiting for some seconds. */
async function isAlone(manager: EntityManager, lock: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const sql = `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held`;
    const { held } = await one<{ held: boolean }>(manager, sql, [lock]);
    if (held || attempt === LOCK_TRIES) return held;
    await setTimeout(LOCK_TRY_MS);
  }
}
