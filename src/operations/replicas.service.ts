import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../config/environment';
import { newId } from '../database/id';
import { execute, one } from '../database/statements';
import { messageOf } from '../errors/message-of';
import { Metrics } from '../metrics/metrics';
import { releaseVersion } from './health/release';

const BEAT_MS = 10_000;

/** Three beats: one may be late, and one may be lost. */
const ALIVE_S = 30;
const FORGOTTEN_S = 3_600;

/** $1 this process, $2 what it runs, $3 its release. The rows of killed processes go an hour later. */
const BEAT = `
  WITH beat AS (
    INSERT INTO replicas (id, parts, version) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET seen_at = now()
  ), forgotten AS (
    DELETE FROM replicas WHERE seen_at < now() - interval '${FORGOTTEN_S} seconds' AND id <> $1
  )
  SELECT count(*) FILTER (WHERE 'api' = ANY (parts))::int AS api, count(*) FILTER (WHERE 'worker' = ANY (parts))::int AS worker
  FROM (SELECT parts FROM replicas WHERE seen_at >= now() - interval '${ALIVE_S} seconds' AND id <> $1
        UNION ALL SELECT $2::text[]) AS alive`;

/**
 * How many processes serve this database, by a heartbeat of each: one statement in ten seconds. A killed one counts for
 * another half minute. While the database is away, the number stays what it was.
 */
@Injectable()
export class Replicas implements BeforeApplicationShutdown {
  /** Processes that answer requests, this one included. */
  api: number;
  /** Processes that deliver, import and clean up, this one included. */
  worker: number;
  private readonly id = newId();
  private readonly release = releaseVersion();
  private readonly logger = new Logger(Replicas.name);
  private readonly parts: readonly string[];
  private timer?: NodeJS.Timeout;
  private beating: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    { run }: Environment,
    metrics: Metrics,
  ) {
    this.parts = [...run];
    this.api = run.has('api') ? 1 : 0;
    this.worker = run.has('worker') ? 1 : 0;
    metrics.gauge('toolyard_replicas_api', 'Live processes that answer requests.', () => this.api);
    metrics.gauge('toolyard_replicas_worker', 'Live processes that deliver, import and clean up.', () => this.worker);
  }

  /** From now on this process counts. */
  async join(): Promise<void> {
    this.timer = setInterval(() => void (this.beating = this.beat()), BEAT_MS).unref();
    this.beating = this.beat();
    await this.beating;
  }

  /** A process that ends says so; the others need not wait until its heartbeat is missed. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.beating;
    try {
      await execute(this.dataSource, `DELETE FROM replicas WHERE id = $1`, [this.id]);
    } catch (error) {
      this.logger.debug(`It stays on the list for ${ALIVE_S} s: ${messageOf(error)}`);
    }
  }

  private async beat(): Promise<void> {
    try {
      const alive = await one<{ api: number; worker: number }>(this.dataSource, BEAT, [
        this.id,
        this.parts,
        this.release,
      ]);
      this.api = alive.api;
      this.worker = alive.worker;
    } catch (error) {
      this.logger.debug(`The heartbeat failed: ${messageOf(error)}`);
    }
  }
}
