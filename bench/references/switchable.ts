import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Metrics } from '../../src/metrics/metrics';
import { RequestDurations } from '../../src/metrics/request-durations';
import { RequestLimits } from '../../src/operations/limits/request-limits';

/*
 * Loaded into the service (`--require`): `SIGUSR2` turns limits and metrics off, and the next one turns them on again. So
 * the case `limits` can compare a process with itself. Asking whether they are on costs the same in both states.
 */
let isOn = true;
process.on('SIGUSR2', () => (isOn = !isOn));

const { admit, canActivate } = RequestLimits.prototype;
RequestLimits.prototype.admit = function (this: RequestLimits, ...given): RequestHandler {
  const handler = admit.apply(this, given);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isOn) void handler(request, response, next);
    else next();
  };
};
RequestLimits.prototype.canActivate = function (this: RequestLimits, context): true {
  return isOn ? canActivate.call(this, context) : true;
};

const { observe } = RequestDurations.prototype;
RequestDurations.prototype.observe = function (this: RequestDurations, ...observed): void {
  if (isOn) observe.apply(this, observed);
};

const { counter } = Metrics.prototype;
Metrics.prototype.counter = function (this: Metrics, ...described) {
  const real = counter.apply(this, described);
  return { add: (...added) => (isOn ? real.add(...added) : undefined) };
};
