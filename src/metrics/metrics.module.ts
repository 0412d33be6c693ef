import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';

/** Global, because every noun may count what it does. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
