import { Metrics } from '../../src/metrics/metrics';
import { RequestDurations } from '../../src/metrics/request-durations';

/*
 * Loaded into the service (`--require`): it counts and measures nothing, as if there were no metrics. Together with limits
 * of 0, this is what the case `limits` compares the service with.
 */
RequestDurations.prototype.observe = () => undefined;
Metrics.prototype.counter = () => ({ add: () => undefined });
