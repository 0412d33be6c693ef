import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { SchemaRequirement } from '../database/schema-requirement.entity';
import { DatabaseTime } from './database-time';
import { HealthController } from './health.controller';
import { RequestLimits } from './limits/request-limits';
import { MetricsServer } from './metrics-server';
import { ProcessGauges } from './process-gauges';
import { Replica } from './replica.entity';
import { Replicas } from './replicas.service';

@Module({
  imports: [AuthModule],
  controllers: [HealthController],
  providers: [DatabaseTime, MetricsServer, ProcessGauges, Replicas, RequestLimits],
})
export class OperationsModule {
  static readonly declares = {
    tags: [['Operations', 'Health checks for operators and load balancers.']],
    entities: [Replica, SchemaRequirement],
  } as const;
}
