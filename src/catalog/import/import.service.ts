import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { newId } from '../../database/id';
import { inTransaction } from '../../database/transaction';
import { type CategoryMap, ensureCategories } from './category-map';
import { ImportPage, type PageCounts } from './import-page';
import type { ImportRun } from './import-run';
import { type RegistryPage, RegistryReader, SourceError } from './registry-reader';

const FILE_PAGE = 200;
/** Ten times as many as the largest known registry has. */
const MOST_PAGES = 10_000;

/** What a run begins with; of a file the digest, since a place in one file means nothing in another. */
interface Start {
  source: string;
  digest: Buffer | null;
  incremental: boolean;
}

interface FilePages {
  page: (cursor: string | null) => RegistryPage;
  digest: Buffer;
}

/** Where listings come from: the address of a registry, or a file with a list of the same form (gzip or not). */
export interface ImportOptions {
  from: string;
  map: CategoryMap;
  /** Only what changed since the last run that came to its end; all of it if there was none. */
  incremental?: boolean;
  /** Told after each page. */
  onProgress?: (run: ImportRun) => void;
  /** Ends the run after the page that is under way; the next one goes on from there. */
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
  ) {}

  /**
   * @returns the run, finished; or failed, with the reason, or still running when the signal ended it
   * @throws SourceError for a file that cannot be read; what the database throws
   */
  async run({ from, map, incremental = false, onProgress, signal }: ImportOptions): Promise<ImportRun> {
    const source = sourceOf(from);
    const file = isAddress(from) ? undefined : await readPages(from);
    const start: Start = { source, digest: file?.digest ?? null, incremental };
    let run = await inTransaction(this.dataSource, (manager) => this.begin(manager, start, map));
    const cursors = new Set<string>();
    while (run.status === 'running' && !signal?.aborted) {
      let next: RegistryPage;
      try {
        next = file
          ? file.page(run.next_cursor)
          : await this.reader.page(from, run.next_cursor ?? undefined, run.changed_since);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        // A source that does not know its own cursor any more is asked from the beginning the next time.
        return this.fail(run, error.message, error.isRefusal);
      }
      if (next.nextCursor !== undefined && (cursors.has(next.nextCursor) || cursors.size >= MOST_PAGES)) {
        return this.fail(run, 'The source goes on for ever: it answered a cursor that it had answered before.', true);
      }
      if (next.nextCursor !== undefined) cursors.add(next.nextCursor);
      run = await inTransaction(this.dataSource, (manager) => this.take(manager, run, next, map));
      onProgress?.(run);
    }
    return run;
  }

  /**
   * Whether a scheduled run of a source is due. Of several processes that ask at once one is told so, and has it.
   *
   * @param intervalMinutes between two of them
   */
  async isDue(from: string, intervalMinutes: number): Promise<boolean> {
    const now = this.clock.now();
    const next = new Date(now.getTime() + intervalMinutes * 60_000);
    const rows = await this.dataSource.query<object[]>(
      `INSERT INTO import_sources (address, next_run_at) VALUES ($1, $3)
       ON CONFLICT ON CONSTRAINT import_sources_pkey DO UPDATE SET next_run_at = $3
       WHERE import_sources.next_run_at IS NULL OR import_sources.next_run_at <= $2 RETURNING 1`,
      [sourceOf(from), now, next],
    );
    return rows.length > 0;
  }

  /** Begins a run, or takes up one that was cut short: at the same place, with the same question. */
  private async begin(
    manager: EntityManager,
    { source, digest, incremental }: Start,
    map: CategoryMap,
  ): Promise<ImportRun> {
    await manager.query(`INSERT INTO import_sources (address) VALUES ($1) ON CONFLICT DO NOTHING`, [source]);
    const [known] = await manager.query<{ changed_until: Date | null }[]>(
      `SELECT changed_until FROM import_sources WHERE address = $1 FOR UPDATE`,
      [source],
    );
    await ensureCategories(manager, map);
    const since = incremental ? (known?.changed_until ?? null) : null;
    const mode = since ? 'incremental' : 'whole';
    const now = this.clock.now();
    const [unfinished] = await manager.query<[ImportRun[], number]>(
      `UPDATE import_runs SET status = 'running', error = NULL, updated_at = $3
       WHERE id = (SELECT id FROM import_runs WHERE source = $1 ORDER BY id DESC LIMIT 1)
         AND status <> 'finished' AND next_cursor IS NOT NULL AND mode = $2 AND changed_since IS NOT DISTINCT FROM $4
         AND digest IS NOT DISTINCT FROM $5
       RETURNING *`,
      [source, mode, now, since, digest],
    );
    if (unfinished[0]) return unfinished[0];
    const [run] = await manager.query<ImportRun[]>(
      `INSERT INTO import_runs (id, source, mode, status, changed_since, started_at, updated_at, digest)
       VALUES ($1, $2, $3, 'running', $4, $5, $5, $6) RETURNING *`,
      [newId(), source, mode, since, now, digest],
    );
    return run as ImportRun;
  }

  private async take(manager: EntityManager, run: ImportRun, page: RegistryPage, map: CategoryMap): Promise<ImportRun> {
    // One page of a source at a time, whoever runs.
    await manager.query(`SELECT 1 FROM import_sources WHERE address = $1 FOR UPDATE`, [run.source]);
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
    const [[run]] = await manager.query<[ImportRun[], number]>(
      `UPDATE import_runs
       SET seen = seen + $2, created = created + $3, updated = updated + $4, unchanged = unchanged + $5,
           quarantined = quarantined + $6, changed_until = greatest(changed_until, $7), next_cursor = $8, updated_at = $9::timestamptz,
           status = CASE WHEN $8::text IS NULL THEN 'finished' ELSE 'running' END,
           finished_at = CASE WHEN $8::text IS NULL THEN $9::timestamptz END
       WHERE id = $1 RETURNING *`,
      [id, seen, created, updated, unchanged, quarantined, changedUntil, nextCursor ?? null, now],
    );
    if (!run) throw new Error('A run that was begun has a row.');
    if (run.status === 'finished') {
      await manager.query(
        `UPDATE import_sources SET changed_until = greatest(changed_until, least($2::timestamptz, $3::timestamptz))
         WHERE address = $1 AND changed_until IS DISTINCT FROM greatest(changed_until, least($2::timestamptz, $3::timestamptz))`,
        // A time that has not come yet would hide all changes until it has.
        [source, run.changed_until, run.started_at],
      );
    }
    return run;
  }

  private async fail({ id }: ImportRun, reason: string, startAnew: boolean): Promise<ImportRun> {
    const now = this.clock.now();
    const [[run]] = await this.dataSource.query<[ImportRun[], number]>(
      `UPDATE import_runs SET status = 'failed', error = $2, updated_at = $3, finished_at = $3,
         next_cursor = CASE WHEN NOT $4 THEN next_cursor END
       WHERE id = $1 RETURNING *`,
      [id, reason, now, startAnew],
    );
    return run as ImportRun;
  }
}

/** @returns whether listings come from an address and not from a file */
export function isAddress(from: string): boolean {
  return /^https?:\/\//i.test(from);
}

/** A file counts as the same source wherever it lies: what it holds says whose listings they are. */
function sourceOf(from: string): string {
  return isAddress(from) ? from.replace(/\/+$/, '') : 'file';
}

/** @returns the pages of a file; the cursor is the place of the first entry */
async function readPages(path: string): Promise<FilePages> {
  let entries: unknown;
  let digest: Buffer;
  try {
    const bytes = await readFile(path);
    digest = createHash('sha256').update(bytes).digest();
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const json = JSON.parse((isZipped ? await promisify(gunzip)(bytes) : bytes).toString('utf8')) as unknown;
    entries = Array.isArray(json) ? json : (json as { servers?: unknown }).servers;
  } catch (error) {
    throw new SourceError(`${path} cannot be read: ${(error as Error).message}`, false, { cause: error });
  }
  if (!Array.isArray(entries)) throw new SourceError(`${path} holds no list of servers.`);
  const all: unknown[] = entries;
  const page = (cursor: string | null): RegistryPage => {
    const from = Number(cursor ?? 0);
    const to = from + FILE_PAGE;
    return { entries: all.slice(from, to), nextCursor: to < all.length ? String(to) : undefined };
  };
  return { page, digest };
}
