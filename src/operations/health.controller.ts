import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { Access } from '../auth/access.decorator';
import { Ending } from '../config/ending';
import { isMissingTable } from '../database/database-errors';
import { currentRequestId, DatabaseDeadline, inRequest, withinDatabaseDeadline } from '../database/deadline';
import { unmetRequirement } from '../database/schema-requirements';
import { many } from '../database/statements';
import { Gives } from '../http/answers/answers';
import { OperationId } from '../http/openapi/openapi-operations';
import { ErrorCode, UnavailableError } from '../errors/errors';
import { HealthOut, ReadinessOut } from './health.dto';

/** A check that takes longer is only slow as long as one succeeded this recently. */
const PATIENCE_MS = 1_000;
const GOOD_FOR_MS = 5_000;

/** For the load balancer and the container's health check. */
@ApiTags('Operations')
@Controller()
export class HealthController {
  /** The one that is under way, for all who ask. */
  private check?: Promise<void>;
  private succeededAt = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    private readonly ending: Ending,
  ) {}

  @Get('healthz')
  @OperationId('healthz')
  @Access('open')
  @ApiOperation({
    summary: 'Is the process alive?',
    description: 'Checks nothing else, so that a database outage does not restart processes.',
  })
  @Gives(HealthOut, 'The process is alive.')
  health(): HealthOut {
    return { status: 'ok' };
  }

  @Get('readyz')
  @OperationId('readyz')
  @Access('open')
  @ApiOperation({
    summary: 'Can the process serve?',
    description:
      'Whether the database answers, has every migration of this release and none that needs a newer one, and the process is not about to end.',
  })
  @Gives(ReadinessOut, 'The process can serve.')
  async ready(): Promise<ReadinessOut> {
    if (this.ending.hasBegun)
      throw new UnavailableError(ErrorCode.ServiceUnavailable, 'This process is about to end; send nothing more.', 5);
    const check = (this.check ??= inRequest(
      currentRequestId() ?? '',
      // Not that of this request, which may be answered before the check has ended.
      new DatabaseDeadline(GOOD_FOR_MS, () => false),
      () => this.checkDatabase(),
    ));
    // A busy process must not be taken out of service: the others would become as busy.
    const isSlow = await Promise.race([check, sleep(PATIENCE_MS, true, { ref: false })]);
    if (isSlow && performance.now() - this.succeededAt > GOOD_FOR_MS) await withinDatabaseDeadline(check);
    return { status: 'ok', database: 'ok', migrations: 'ok' };
  }

  private async checkDatabase(): Promise<void> {
    try {
      const names = new Set(await this.migrationsRun());
      if (!this.dataSource.migrations.every(({ name, constructor }) => names.has(name ?? constructor.name)))
        throw new UnavailableError(ErrorCode.ServiceUnavailable, 'The database lacks migrations of this release.', 5);
      const unmet = await unmetRequirement(this.dataSource, this.dataSource.migrations);
      if (unmet !== undefined) throw new UnavailableError(ErrorCode.ServiceUnavailable, unmet, 5);
      this.succeededAt = performance.now();
    } finally {
      this.check = undefined;
    }
  }

  /** None if the migrations table is missing: the database was emptied, or is the wrong one. */
  private async migrationsRun(): Promise<string[]> {
    try {
      const rows = await many<{ name: string }>(this.dataSource, `SELECT name FROM migrations`);
      return rows.map(({ name }) => name);
    } catch (error) {
      if (isMissingTable(error)) return [];
      throw error;
    }
  }
}
