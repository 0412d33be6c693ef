import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../../config/environment';
import { HealthSources } from '../../metrics/health-sources';
import { type CategoryMap, NO_MAP } from './category-map';
import { ImportHealth } from './import-health';
import { readMapFile } from './category-map-file';
import type { ImportRun } from './import-run';
import { Import } from './import.service';

const MINUTE_MS = 60_000;

/** Retry delay after a failed import; also the shortest interval that can be configured. */
const RETRY_MINUTES = 5;

/** Imports the changes of the registry in `IMPORT_FROM`. Runs in processes with `worker`, in one of them at a time. */
@Injectable()
export class ImportScheduler implements OnApplicationShutdown {
  private readonly logger = new Logger(ImportScheduler.name);
  private readonly ending = new AbortController();
  private running?: Promise<void>;

  constructor(
    private readonly imports: Import,
    private readonly environment: Environment,
    health: HealthSources,
    facts: ImportHealth,
  ) {
    health.register({ imports: () => facts.read() });
  }

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
      const result = map && (await this.imports.run({ from, map, incremental: true, signal: this.ending.signal }));
      if (result) this.log(from, result);
      // This process is shutting down: let another one continue the import immediately.
      if (result?.status === 'running') await this.imports.makeDue(from, 0);
      else if (result?.status !== 'finished') await this.imports.makeDue(from, RETRY_MINUTES);
    } catch (error) {
      this.logger.warn(`The import from ${from} failed: ${(error as Error).message}`);
      await this.imports.makeDue(from, RETRY_MINUTES).catch(() => undefined);
    }
  }

  /** @returns undefined if the map cannot be read; this is logged and recorded as a failed run */
  private async readMap(from: string): Promise<CategoryMap | undefined> {
    try {
      return (await readMapFile(this.environment.importCategoryMap)) ?? NO_MAP;
    } catch (error) {
      const reason = `IMPORT_CATEGORY_MAP cannot be used: ${(error as Error).message}`;
      this.logger.warn(`The import from ${from} did not start. ${reason}`);
      await this.imports.noteFailure(from, reason);
      return undefined;
    }
  }

  private log(from: string, { status, created, updated, unchanged, quarantined, error }: ImportRun): void {
    const counts = `${created} new, ${updated} changed, ${unchanged} unchanged, ${quarantined} in quarantine`;
    if (status === 'finished') return this.logger.log(`Import from ${from}: ${counts}.`);
    const why = error ?? 'The process is shutting down.';
    this.logger.warn(`The import from ${from} stopped: ${why} So far: ${counts}. It will resume later.`);
  }
}
