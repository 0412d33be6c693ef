import { readFile } from 'node:fs/promises';
import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../../config/environment';
import { NO_MAP, readCategoryMap } from './category-map';
import { Import } from './import.service';

const MINUTE_MS = 60_000;

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
    const { importFrom: from, importIntervalMinutes, importCategoryMap, run } = this.environment;
    if (from === undefined || !run.has('worker') || this.ending.signal.aborted) return;
    try {
      if (!(await this.imports.isDue(from, importIntervalMinutes))) return;
      const map = importCategoryMap ? readCategoryMap(JSON.parse(await readFile(importCategoryMap, 'utf8'))) : NO_MAP;
      const { status, created, updated, unchanged, quarantined, error } = await this.imports.run({
        from,
        map,
        incremental: true,
        signal: this.ending.signal,
      });
      const counts = `${created} new, ${updated} changed, ${unchanged} as they were, ${quarantined} in quarantine`;
      if (status === 'failed') this.logger.warn(`The import from ${from} stopped: ${error}. Until then: ${counts}.`);
      else this.logger.log(`Import from ${from}: ${counts}.`);
    } catch (error) {
      // The next one that is due goes on where this one was.
      this.logger.warn(`The import from ${from} failed: ${(error as Error).message}`);
    }
  }
}
