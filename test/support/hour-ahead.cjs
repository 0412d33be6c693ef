// Moves the time of day of a process by an hour, and nothing else: timers and the monotonic clock go on.
const HOUR_MS = 3_600_000;
const RealDate = Date;
const ahead = () => RealDate.now() + HOUR_MS;

globalThis.Date = new Proxy(RealDate, {
  construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [ahead()] : args, target),
  get: (date, name) => (name === 'now' ? ahead : Reflect.get(date, name)),
});
