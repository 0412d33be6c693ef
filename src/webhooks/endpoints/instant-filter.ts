import { EARLIEST } from '../../http/requests/instant';
import type { TextCheck } from '../../http/requests/text-checks';

/** Milliseconds since the epoch; `from` inclusive, `until` exclusive; null = unbounded. */
export interface InstantRange {
  from: number | null;
  until: number | null;
}

/** One query parameter: an instant matches if it is in any of the ranges; without ranges, none does. */
export type InstantFilter = InstantRange[];

/** The parameter is not a valid date search. The message contains the invalid piece and can be shown to the caller. */
export class InstantFilterSyntaxError extends Error {
  constructor(piece: string, reason: string) {
    super(`${quoted(piece)}: ${reason}`);
    this.name = 'InstantFilterSyntaxError';
  }
}

/**
 * Tenths of a nanosecond since the epoch. This fine, so that nine fraction digits of a second, and a tenth of the
 * distance between two such points as needed for `ap`, are whole numbers: nothing is rounded before the last step.
 */
type Ticks = bigint;

/** `start` inclusive, `end` exclusive, and never empty. */
interface Span {
  start: Ticks;
  end: Ticks;
}

/** `from` inclusive, `until` exclusive; null = unbounded. */
type TickRange = [from: Ticks | null, until: Ticks | null];

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
const TICKS_PER_MS = 10_000_000n;
const TICKS_PER_SECOND = 1000n * TICKS_PER_MS;

/** Maximum number of values of one parameter; each becomes a condition of the statement. */
export const MAX_INSTANT_VALUES = 20;

/** Nanoseconds. One more digit would not be a whole number of ticks for `ap`. */
const EXACT_DIGITS = 9;

/** In minutes. FHIR R4 and XML Schema stop at 14:00, which is also the largest offset in use. */
const MAX_OFFSET = 14 * 60;

/** The first instant after the year 9999. */
const AFTER_LATEST = Date.parse('+010000-01-01T00:00:00.000Z');

/**
 * What each prefix selects for a value that stands for `span` (FHIR R4, Search, "Prefixes" and "date"). A stored
 * instant is a point, so `gt` and `sa` are the same here, as are `lt` and `eb`, which FHIR distinguishes only for
 * periods. A Map rather than an object, so that `constructor2026` does not match an inherited property.
 */
const PREFIXES = new Map<string, (span: Span, now: Ticks) => TickRange[]>([
  ['eq', ({ start, end }) => [[start, end]]],
  [
    'ne',
    ({ start, end }) => [
      [null, start],
      [end, null],
    ],
  ],
  ['gt', ({ end }) => [[end, null]]],
  ['ge', ({ start }) => [[start, null]]],
  ['lt', ({ start }) => [[null, start]]],
  ['le', ({ end }) => [[null, end]]],
  ['sa', ({ end }) => [[end, null]]],
  ['eb', ({ start }) => [[null, start]]],
  [
    'ap',
    (span, now) => {
      const margin = distance(span, now) / 10n;
      return [[span.start - margin, span.end + margin]];
    },
  ],
]);

const VALUE =
  /^(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2})(?:T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d+))?)?(?<zone>Z|[-+ ]\d{2}:\d{2})?)?)?)?$/;

const VALUE_FORMS = 'YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDThh:mm[:ss[.fraction]][Z|+hh:mm|-hh:mm]';

/**
 * Parses one query parameter of the FHIR R4 date search on an instant: `[prefix]value`, several joined by commas (OR).
 * The contract specifies it for `created_at` of `GET /v1/webhooks`. In addition:
 *
 * - Bounds are those for instants of whole milliseconds, as stored: `eq` on `…00.1234Z` selects nothing, since that
 *   span contains no whole millisecond.
 * - `ap` widens by a tenth of the distance from `now` to the nearer end of the span, and not at all if `now` is in it.
 * - One parameter has at most 20 values.
 * - A range that cannot contain an instant is omitted, so the result can be empty; then nothing matches.
 *
 * @param parameter the decoded value of the parameter: a space before `hh:mm` is a `+` that form decoding removed
 * @param now the reference point of `ap`; other prefixes do not use it
 * @returns the ranges in the order of the pieces; they may overlap
 * @throws {InstantFilterSyntaxError} on anything else; nothing is guessed, trimmed or truncated
 */
export function parseInstantFilter(parameter: string, now: Date): InstantFilter {
  const nowTicks = ticks(now.getTime());
  // One more than the maximum is enough to detect an excess.
  const pieces = parameter.split(',', MAX_INSTANT_VALUES + 1);
  if (pieces.length > MAX_INSTANT_VALUES) {
    throw new InstantFilterSyntaxError(parameter, `more than ${MAX_INSTANT_VALUES} values`);
  }
  return pieces.flatMap((piece) => {
    const [select, span] = parsePiece(piece);
    return select(span, nowTicks).flatMap(inMilliseconds);
  });
}

/**
 * Whether an instant passes every filter (AND over the parameters, OR within each): the equivalent of
 * `instantFilterSql` for tests and rows in memory.
 *
 * @param instant between the years 0001 and 9999
 * @param filters as returned by `parseInstantFilter`; without any, every instant passes
 */
export function matchesInstantFilters(instant: Date, filters: InstantFilter[]): boolean {
  const ms = instant.getTime();
  return filters.every((filter) =>
    filter.some(({ from, until }) => (from === null || ms >= from) && (until === null || ms < until)),
  );
}

/**
 * The SQL predicate (PostgreSQL) for the filters. It is a single operand, parenthesised where needed, so it can be
 * combined with AND, OR and NOT.
 *
 * @param column the timestamptz column as SQL text, quoted and qualified; inserted unchecked, so never user input
 * @param filters as returned by `parseInstantFilter`
 * @param parameters the bound values so far; the bounds are appended as ISO 8601 strings in UTC and numbered from there
 * @returns the predicate; `TRUE` for no filters, `FALSE` for a filter without a range
 */
export function instantFilterSql(column: string, filters: InstantFilter[], parameters: unknown[]): string {
  const comparison = (operator: '>=' | '<', bound: number | null): string[] => {
    if (bound === null) return [];
    // The cast and the Z make it independent of the session's time zone and the driver's type inference.
    const number = parameters.push(new Date(bound).toISOString());
    return [`${column} ${operator} $${number}::timestamptz`];
  };
  const ranges = (filter: InstantFilter): string[] =>
    filter.map(({ from, until }) => joined([...comparison('>=', from), ...comparison('<', until)], 'AND', 'TRUE'));
  return joined(
    filters.map((filter) => joined(ranges(filter), 'OR', 'FALSE')),
    'AND',
    'TRUE',
  );
}

function joined(operands: string[], operator: 'AND' | 'OR', whenEmpty: 'TRUE' | 'FALSE'): string {
  if (operands.length > 1) return `(${operands.join(` ${operator} `)})`;
  return operands[0] ?? whenEmpty;
}

/** Parses one piece between commas into its prefix's selector and the span of its value. */
function parsePiece(piece: string): [select: (span: Span, now: Ticks) => TickRange[], span: Span] {
  if (piece === '') throw new InstantFilterSyntaxError(piece, `a value is missing, expected [prefix]${VALUE_FORMS}`);
  // Every value starts with a digit, so everything before the first one is the prefix.
  const prefix = /^\D*/.exec(piece)?.[0] ?? '';
  const select = PREFIXES.get(prefix || 'eq');
  if (!select) {
    const prefixes = [...PREFIXES.keys()].join(', ');
    throw new InstantFilterSyntaxError(piece, `unknown prefix ${quoted(prefix)}, expected one of ${prefixes}, or none`);
  }
  return [select, parseSpan(piece, piece.slice(prefix.length))];
}

/** The span of a value, according to its precision. */
function parseSpan(piece: string, value: string): Span {
  const groups = VALUE.exec(value)?.groups;
  if (!groups) throw new InstantFilterSyntaxError(piece, `not a date or date-time, expected ${VALUE_FORMS}`);
  const field = (name: string, text: string | undefined, lowest: number, highest: number): number => {
    const number = text === undefined ? lowest : Number(text);
    if (number >= lowest && number <= highest) return number;
    throw new InstantFilterSyntaxError(piece, `the ${name} must be between ${lowest} and ${highest}`);
  };

  const year = field('year', groups.year, 1, 9999);
  if (groups.month === undefined) return { start: ticks(midnight(year)), end: ticks(midnight(year + 1)) };

  const month = field('month', groups.month, 1, 12);
  if (groups.day === undefined) {
    return { start: ticks(midnight(year, month)), end: ticks(midnight(year, month + 1)) };
  }

  const daysOfMonth = (midnight(year, month + 1) - midnight(year, month)) / MS_PER_DAY;
  const day = midnight(year, month, field('day of that month', groups.day, 1, daysOfMonth));
  if (groups.hour === undefined) return { start: ticks(day), end: ticks(day + MS_PER_DAY) };

  const hour = field('hour', groups.hour, 0, 23);
  const minute = field('minute', groups.minute, 0, 59);
  // FHIR takes a leap second. No stored instant is in one, so it is the first of the next minute (contract, 13.5).
  const second = field('second', groups.second, 0, 60);
  const fraction = groups.fraction ?? '';
  const startOfMinute = day + (hour * 60 + minute - parseOffset(piece, groups.zone)) * MS_PER_MINUTE;
  if (groups.second === undefined) {
    return { start: ticks(startOfMinute), end: ticks(startOfMinute + MS_PER_MINUTE) };
  }

  const exact = fraction.slice(0, EXACT_DIGITS);
  const length = TICKS_PER_SECOND / 10n ** BigInt(exact.length);
  // BigInt('') is 0n, so no fraction means the whole second.
  const start = ticks(startOfMinute + second * 1000) + BigInt(exact) * length;
  if (fraction === exact) return { start, end: start + length };
  // FHIR takes any number of digits. For whole milliseconds, it only counts whether the further ones are all zero.
  const isLater = /[1-9]/.test(fraction.slice(EXACT_DIGITS));
  return { start: start + (isLater ? 1n : 0n), end: start + (isLater ? 2n : 1n) };
}

/** Minutes ahead of UTC; no zone means UTC (contract). */
function parseOffset(piece: string, zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(4));
  const offset = Number(zone.slice(1, 3)) * 60 + minutes;
  if (minutes > 59 || offset > MAX_OFFSET) {
    throw new InstantFilterSyntaxError(piece, 'the offset must be between -14:00 and +14:00, with minutes up to 59');
  }
  return zone.startsWith('-') ? -offset : offset;
}

/** The start of a day in UTC, in milliseconds; month 13 is January of the next year. */
function midnight(year: number, month = 1, day = 1): number {
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function ticks(ms: number): Ticks {
  return BigInt(ms) * TICKS_PER_MS;
}

/** From a point to the nearer end of the span; 0 for a point in it. */
function distance({ start, end }: Span, point: Ticks): Ticks {
  if (point < start) return start - point;
  return point > end ? point - end : 0n;
}

/**
 * Converts a range to milliseconds; returns no range if it cannot contain a stored instant.
 *
 * A stored instant is a whole millisecond v, for which v >= t is v >= ceil(t) and v < t is v < ceil(t), so rounding
 * both bounds up is exact. It is in the years 0001 to 9999, since the server's clock sets it. For other years
 * JavaScript prints a form with a sign and six digits that PostgreSQL does not parse, so such a bound is never printed:
 * if it excludes no row it is dropped, if it excludes every row the range is dropped.
 */
function inMilliseconds([fromTicks, untilTicks]: TickRange): InstantRange[] {
  const from = fromTicks === null ? -Infinity : roundedUp(fromTicks);
  const until = untilTicks === null ? Infinity : roundedUp(untilTicks);
  if (from >= until || from >= AFTER_LATEST || until <= EARLIEST) return [];
  return [{ from: from < EARLIEST ? null : from, until: until >= AFTER_LATEST ? null : until }];
}

function roundedUp(point: Ticks): number {
  // Division truncates towards zero, which already rounds up if the remainder is negative.
  return Number(point / TICKS_PER_MS) + (point % TICKS_PER_MS > 0n ? 1 : 0);
}

/** For messages: escaped as in JSON, so that unusual characters are visible, and truncated. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The check of the format `fhir-date-search`. */
export const checkInstantFilter: TextCheck = (text) => {
  try {
    parseInstantFilter(text, new Date());
    return undefined;
  } catch (error) {
    if (!(error instanceof InstantFilterSyntaxError)) throw error;
    return { msg: error.message, type: 'datetime_parsing' };
  }
};
