import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Metrics } from '../metrics/metrics';

/** TypeORM does not say that its driver has a pool. */
interface PooledDriver {
  master: Pool;
}

/** The connections to the database: where requests queue first when it is slow. */
@Injectable()
export class ProcessGauges {
  constructor(metrics: Metrics, dataSource: DataSource) {
    const pool = () => (dataSource.driver as unknown as PooledDriver).master;
    metrics.gauge(
      'toolyard_database_connections_open',
      'Connections to the database, idle ones included.',
      () => pool().totalCount,
    );
    metrics.gauge(
      'toolyard_database_connections_in_use',
      'Connections that a request or a job holds.',
      () => pool().totalCount - pool().idleCount,
    );
    metrics.gauge(
      'toolyard_database_connections_waiting',
      'Requests and jobs that wait for a connection.',
      () => pool().waitingCount,
    );
  }
}
