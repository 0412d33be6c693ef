import { readFile } from 'node:fs/promises';
import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../../config/environment';
import { type CategoryMap, NO_MAP, readCategoryMap } from './category-map';
import type { ImportRun } from './import-run';
import { Import } from './import.service';

const MINUTE_MS = 60_000;

/** After what failed, it is tried again that much later; the shortest interval that can be set. */
const RETRY_MINUTES = 5;

/** Takes over what changed in the registry of `IMPORT_FROM`, in processes that run `worker`; one of them at a time. */
@Injectable()
export class ImportScheduler implements OnApplicationShutdown {
  private readonly logger = new Logger(ImportScheduler.name);
  private readonly ending = new AbortController();
  private running?: Promise<void>;

  constructor(
    private readonly imports: Import,
    private readonly environment: Environment,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  @Interval('import', MINUTE_MS)
  tick(): Promise<void> {
    return (this.running ??= this.runIfDue().finally(() => (this.running = undefined)));
  }

  private async runIfDue(): Promise<void> {
    const { importFrom: from, importIntervalMinutes, run } = this.environment;
    if (from === undefined || !run.has('worker') || this.ending.signal.aborted) return;
    try {
      if (!(await this.imports.isDue(from, importIntervalMinutes))) return;
      const map = await this.readMap(from);
      const done = map && (await this.imports.run({ from, map, incremental: true, signal: this.ending.signal }));
      if (done) this.tell(from, done);
      // What this process has to leave, another one takes up at once.
      if (done?.status === 'running') await this.imports.makeDue(from, 0);
      else if (done?.status !== 'finished') await this.imports.makeDue(from, RETRY_MINUTES);
    } catch (error) {
      this.logger.warn(`The import from ${from} failed: ${(error as Error).message}`);
      await this.imports.makeDue(from, RETRY_MINUTES).catch(() => undefined);
    }
  }

  /** @returns undefined when it cannot be read, which the log and the list of runs say then */
  private async readMap(from: string): Promise<CategoryMap | undefined> {
    const { importCategoryMap: path } = this.environment;
    if (path === undefined) return NO_MAP;
    try {
      return readCategoryMap(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      const reason = `IMPORT_CATEGORY_MAP cannot be used: ${(error as Error).message}`;
      this.logger.warn(`The import from ${from} did not start. ${reason}`);
      await this.imports.noteFailure(from, reason);
      return undefined;
    }
  }

  private tell(from: string, { status, created, updated, unchanged, quarantined, error }: ImportRun): void {
    const counts = `${created} new, ${updated} changed, ${unchanged} unchanged, ${quarantined} in quarantine`;
    if (status === 'finished') return this.logger.log(`Import from ${from}: ${counts}.`);
    const why = error ?? 'The process is shutting down.';
    this.logger.warn(`The import from ${from} stopped: ${why} Until then: ${counts}. It will continue.`);
  }
}
