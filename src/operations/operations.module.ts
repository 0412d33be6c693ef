import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { SchemaRequirement } from '../database/schema-requirement.entity';
import { KEY_PURPOSES, KEY_USES, QUEUES } from '../metrics/health-sources';
import { DatabaseTime } from './database-time';
import { HealthController } from './health.controller';
import { HEALTH_STATES } from './health/health-rules';
import { PlatformHealthController } from './health/platform-health.controller';
import { PlatformHealth } from './health/platform-health.service';
import { RequestLimits } from './limits/request-limits';
import { MetricsServer } from './metrics-server';
import { ProcessGauges } from './process-gauges';
import { Replica } from './replica.entity';
import { Replicas } from './replicas.service';

@Module({
  imports: [AuthModule],
  controllers: [HealthController, PlatformHealthController],
  providers: [DatabaseTime, MetricsServer, PlatformHealth, ProcessGauges, Replicas, RequestLimits],
})
export class OperationsModule {
  static readonly declares = {
    tags: [['Operations', 'Health checks for operators and load balancers.']],
    entities: [Replica, SchemaRequirement],
    enums: { HealthState: HEALTH_STATES, QueueName: QUEUES, KeyPurpose: KEY_PURPOSES, KeyUse: KEY_USES },
  } as const;
}
