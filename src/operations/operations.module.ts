import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsServer } from './metrics-server';
import { ProcessGauges } from './process-gauges';
import { Replica } from './replica.entity';
import { Replicas } from './replicas.service';

@Module({ controllers: [HealthController], providers: [MetricsServer, ProcessGauges, Replicas] })
export class OperationsModule {
  static readonly declares = {
    tags: [['Operations', 'Health checks for operators and load balancers.']],
    entities: [Replica],
  } as const;
}
