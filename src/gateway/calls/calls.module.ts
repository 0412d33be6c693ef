import { Module } from '@nestjs/common';
import { BundlesModule } from '../../bundles/bundles.module';
import { CallCounters } from './call-counters';
import { CallPartitions } from './call-partitions';
import { CallRecords } from './call-records';
import { CallStatistics } from './call-statistics.service';
import { CallStore } from './call-store';
import { CallWriter } from './call-writer';
import { CallsController } from './calls.controller';
import { CallsService } from './calls.service';
import { EndpointCall } from './endpoint-call.entity';

/**
 * The record of calls: who called what, when, and what became of it.
 *
 * In come calls as they begin (`CallRecords.open`) and what is learnt of each on its way (`CallTrail`). Out go the list of
 * calls and their statistics, for the people who manage the bundle. It keeps a row for each call in `endpoint_calls`, in
 * partitions that it creates and drops. Rows wait in the memory of the process until they are written, except where a bundle
 * wants each call recorded before it is made: a call that cannot be recorded is refused there.
 */
@Module({
  imports: [BundlesModule],
  controllers: [CallsController],
  providers: [CallCounters, CallPartitions, CallRecords, CallsService, CallStatistics, CallStore, CallWriter],
  exports: [CallRecords],
})
export class CallsModule {
  static readonly declares = { entities: [EndpointCall] } as const;
}
