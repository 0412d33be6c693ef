import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { Access } from '../auth/access.decorator';
import { Ending } from '../config/ending';
import { isMissingTable } from '../database/database-errors';
import { many } from '../database/statements';
import { Gives } from '../http/answers/answers';
import { OperationId } from '../http/openapi/openapi-operations';
import { ErrorCode, UnavailableError } from '../errors/errors';
import { HealthOut, ReadinessOut } from './health.dto';

/** For the load balancer and the container's health check. */
@ApiTags('Operations')
@Controller()
export class HealthController {
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
      'Whether the database answers and has every migration of this release, and the process is not about to end.',
  })
  @Gives(ReadinessOut, 'The process can serve.')
  async ready(): Promise<ReadinessOut> {
    if (this.ending.hasBegun)
      throw new UnavailableError(ErrorCode.ServiceUnavailable, 'This process is about to end; send nothing more.', 5);
    const names = new Set(await this.migrationsRun());
    if (!this.dataSource.migrations.every(({ name, constructor }) => names.has(name ?? constructor.name))) {
      throw new UnavailableError(ErrorCode.ServiceUnavailable, 'The database lacks migrations of this release.', 5);
    }
    return { status: 'ok', database: 'ok', migrations: 'ok' };
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
