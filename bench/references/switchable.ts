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

replace(RequestLimits.prototype, 'admit', (admit) => {
  return function (this: RequestLimits, ...given): RequestHandler {
    const handler = admit.apply(this, given);
    return (request: Request, response: Response, next: NextFunction): void => {
      if (isOn) void handler(request, response, next);
      else next();
    };
  };
});
replace(RequestLimits.prototype, 'canActivate', (canActivate) => {
  return function (this: RequestLimits, context): true {
    return isOn ? canActivate.call(this, context) : true;
  };
});
replace(RequestDurations.prototype, 'observe', (observe) => {
  return function (this: RequestDurations, ...observed): void {
    if (isOn) observe.apply(this, observed);
  };
});
replace(Metrics.prototype, 'counter', (counter) => {
  return function (this: Metrics, ...described) {
    const real = counter.apply(this, described);
    return { add: (...added) => (isOn ? real.add(...added) : undefined) };
  };
});

function replace<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  by: (method: Target[Name]) => Target[Name],
): void {
  target[name] = by(target[name]);
}
