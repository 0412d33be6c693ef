import { writeFileSync } from 'node:fs';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Metrics } from '../../src/metrics/metrics';
import { RequestDurations } from '../../src/metrics/request-durations';
import { RequestLimits } from '../../src/operations/limits/request-limits';

/** What the process did in one of the two states. */
export interface Spent {
  requests: number;
  /** Of the process, in all its threads. */
  cpuMs: number;
  ms: number;
}

/** Two turns one after the other: what the one with both took, as a part of what the one without took. */
export interface TurnPair {
  /** Processor time per request. */
  cost: number;
  /** Requests per second. */
  speed: number;
}

/** Both states, as written to the file that `SWITCHABLE_REPORT` names. */
export interface SwitchableReport {
  on: Spent;
  off: Spent;
  pairs: TurnPair[];
}

/*
 * Loaded into the service (`--require`), so that the case `limits` can compare a process with itself. `SIGUSR2` begins to
 * turn limits and metrics on and off by turns, and the next one ends it and writes what each state took. A turn is short,
 * so that what else the machine does affects both alike, and which one comes first is drawn, so that nothing of the service
 * that happens every so often falls into the same one. Turns are compared pair by pair: one that the machine disturbs spoils
 * one pair, and not a sum. Asking whether they are on costs the same in both.
 */
const TURN_MS = 100;
const NOTHING: Spent = { requests: 0, cpuMs: 0, ms: 0 };
let isOn = true;
let report: SwitchableReport | undefined;
let turn: NodeJS.Timeout | undefined;
let seen = 0;
let since = { cpu: process.cpuUsage(), at: performance.now(), seen };
let isSecond = true;
let first = NOTHING;

process.on('SIGUSR2', () => {
  if (report) {
    clearInterval(turn);
    endTurn(report);
    writeFileSync(process.env.SWITCHABLE_REPORT ?? '', JSON.stringify(report));
    report = undefined;
    isOn = true;
    return;
  }
  const begun: SwitchableReport = (report = { on: { ...NOTHING }, off: { ...NOTHING }, pairs: [] });
  nextTurn();
  turn = setInterval(() => {
    endTurn(begun);
    nextTurn();
  }, TURN_MS);
});

function endTurn({ on, off, pairs }: SwitchableReport): void {
  const { user, system } = process.cpuUsage(since.cpu);
  const spent = {
    cpuMs: (user + system) / 1_000,
    ms: performance.now() - since.at,
    requests: seen - since.seen,
  };
  const sum = isOn ? on : off;
  sum.cpuMs += spent.cpuMs;
  sum.ms += spent.ms;
  sum.requests += spent.requests;
  if (isSecond) pairs.push(isOn ? pairOf(spent, first) : pairOf(first, spent));
  else first = spent;
}

function pairOf(withBoth: Spent, without: Spent): TurnPair {
  const costOf = ({ cpuMs, requests }: Spent) => cpuMs / requests;
  const speedOf = ({ ms, requests }: Spent) => requests / ms;
  return { cost: costOf(withBoth) / costOf(without), speed: speedOf(withBoth) / speedOf(without) };
}

function nextTurn(): void {
  isSecond = !isSecond;
  isOn = isSecond ? !isOn : Math.random() < 0.5;
  since = { cpu: process.cpuUsage(), at: performance.now(), seen };
}

replace(RequestLimits.prototype, 'admit', (admit) => {
  return function (this: RequestLimits, ...given): RequestHandler {
    const handler = admit.apply(this, given);
    return (request: Request, response: Response, next: NextFunction): void => {
      seen++;
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
