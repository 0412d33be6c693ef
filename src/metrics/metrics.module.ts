import { Global, Module } from '@nestjs/common';
import { HealthSources } from './health-sources';
import { Metrics } from './metrics';

/** Global, because every noun may count what it does, and say how it is. */
@Global()
@Module({ providers: [HealthSources, Metrics], exports: [HealthSources, Metrics] })
export class MetricsModule {}
