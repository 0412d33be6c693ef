import { CallCounters } from './call-counters';
import { CallPartitions } from './call-partitions';
import { CallRecords } from './call-records';
import { CallsService } from './calls.service';
import { CallStatistics } from './call-statistics.service';
import { CallStore } from './call-store';
import { CallWriter } from './call-writer';

/** The parts of the record of calls. */
export const CALL_PROVIDERS = [
  CallCounters,
  CallPartitions,
  CallRecords,
  CallsService,
  CallStatistics,
  CallStore,
  CallWriter,
];
