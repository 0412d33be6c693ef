import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../config/environment';
import { maybe, one } from '../../database/statements';
import type { ImportFacts } from '../../metrics/health-sources';
import type { ImportRun } from './import-run';

/** Documents are counted up to this number, which then means as many or more. */
const COUNTED_UP_TO = 1_000;

/** Runs are looked through for one that finished; more failed in a row than this only if nobody looks. */
const MAX_RUNS = 100;

type LastRun = Pick<ImportRun, 'source' | 'status' | 'error' | 'started_at' | 'updated_at' | 'finished_at'>;

const LAST_RUN = `
  SELECT source, status, error, started_at, updated_at, finished_at FROM import_runs ORDER BY id DESC LIMIT 1`;

/** The newest runs and the documents that are to be looked at, by their indexes. */
const COUNTS = `
  SELECT
    (SELECT max(finished_at) FROM (SELECT status, finished_at FROM import_runs ORDER BY id DESC LIMIT ${MAX_RUNS}) AS run
     WHERE status = 'finished') AS finished_at,
    (SELECT count(*)::int FROM (SELECT FROM import_quarantine WHERE state = 'OPEN' LIMIT ${COUNTED_UP_TO}) AS every) AS quarantined,
    (SELECT count(*)::int FROM (
       SELECT FROM import_quarantine WHERE state = 'OPEN' AND created_at > now() - interval '24 hours'
       LIMIT ${COUNTED_UP_TO}) AS fresh) AS today`;

/** How imports go, for the page of the instance's health. */
@Injectable()
export class ImportHealth {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
  ) {}

  async read(): Promise<ImportFacts> {
    const { importFrom, importIntervalMinutes } = this.environment;
    const last = await maybe<LastRun>(this.dataSource, LAST_RUN);
    const counts = await one<{ finished_at: Date | null; quarantined: number; today: number }>(this.dataSource, COUNTS);
    return {
      from: importFrom ?? null,
      intervalMinutes: importIntervalMinutes,
      last: last
        ? {
            source: last.source,
            status: last.status,
            error: last.error,
            startedAt: last.started_at,
            updatedAt: last.updated_at,
            finishedAt: last.finished_at,
          }
        : null,
      finishedAt: counts.finished_at,
      quarantined: counts.quarantined,
      quarantinedToday: counts.today,
      countedUpTo: COUNTED_UP_TO,
    };
  }
}
