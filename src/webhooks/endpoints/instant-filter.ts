import type { TextCheck } from '../../http/requests/text-checks';

/** Milliseconds since the epoch; `from` inclusive, `until` exclusive; null = unbounded. */
export interface InstantRange {
  from: number | null;
  until: number | null;
}

/** One query parameter: an instant matches when it lies in any of the ranges; without a range, none does. */
export type InstantFilter = InstantRange[];

/** The parameter is not a date search. The message names the faulty piece and is fit for a caller's eyes. */
export class InstantFilterSyntaxError extends Error {
  constructor(piece: string, reason: string) {
    super(`${quoted(piece)}: ${reason}`);
    this.name = 'InstantFilterSyntaxError';
  }
}

/**
 * Tenths of a nanosecond since the epoch. So fine because nine fraction digits of a second, and the tenth of a distance
 * between two such points that `ap` asks for, are then whole numbers: nothing is rounded before the last step.
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

/** Values of one parameter; each becomes a condition of the statement. */
export const MOST_INSTANT_VALUES = 20;

/** A nanosecond; a generous limit, and one more digit would be no whole number of ticks for `ap`. */
const MAX_FRACTION_DIGITS = 9;

/** In minutes. FHIR R4 and XML Schema stop at 14:00, which is also the largest offset in use. */
const MAX_OFFSET = 14 * 60;

/** The years 0001 to 9999: first instant, and the first instant after the last. */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const AFTER_LATEST = Date.parse('+010000-01-01T00:00:00.000Z');

/**
 * What each prefix selects for a value that stands for `span` (FHIR R4, Search, "Prefixes" and "date"). A stored
 * instant is a point, so `gt` and `sa`, and `lt` and `eb`, which FHIR tells apart for periods only, are the same here.
 * A Map and no object, so that `constructor2026` finds no inherited property.
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
 * Reads one query parameter of the FHIR R4 date search on an instant: `[prefix]value`, several joined by commas (OR).
 * The rule is the contract's, on `created_at` of `GET /v1/webhooks`. Beyond its words:
 *
 * - The bounds are those for instants of whole milliseconds, as stored: `eq` on `…00.1234Z` selects nothing, since no
 *   whole millisecond lies in that span.
 * - `ap` widens by a tenth of the distance from `now` to the nearer end of the span, and by nothing when `now` lies in it.
 * - One parameter has at most 20 values.
 * - A range in which no instant can lie is left out, so the answer may hold no range at all, and then nothing matches.
 *
 * @param parameter the decoded value of the parameter: a space before `hh:mm` is the `+` that form decoding ate
 * @param now the point that `ap` measures from; no other prefix reads it
 * @returns the ranges in the order of the pieces; they may overlap
 * @throws {InstantFilterSyntaxError} on anything else than the rule allows; nothing is guessed, trimmed or cut
 */
export function parseInstantFilter(parameter: string, now: Date): InstantFilter {
  const nowTicks = ticks(now.getTime());
  // One more than there may be is enough to know.
  const pieces = parameter.split(',', MOST_INSTANT_VALUES + 1);
  if (pieces.length > MOST_INSTANT_VALUES) {
    throw new InstantFilterSyntaxError(parameter, `more than ${MOST_INSTANT_VALUES} values`);
  }
  return pieces.flatMap((piece) => {
    const [select, span] = parsePiece(piece);
    return select(span, nowTicks).flatMap(inMilliseconds);
  });
}

/**
 * Whether an instant passes every filter (AND over the parameters, OR within each): what `instantFilterSql` asks of the
 * database, for tests and for rows in memory.
 *
 * @param instant between the years 0001 and 9999
 * @param filters as `parseInstantFilter` gives them; with none, every instant passes
 */
export function matchesInstantFilters(instant: Date, filters: InstantFilter[]): boolean {
  const ms = instant.getTime();
  return filters.every((filter) =>
    filter.some(({ from, until }) => (from === null || ms >= from) && (until === null || ms < until)),
  );
}

/**
 * The SQL predicate (PostgreSQL) for the same question. It is one operand, in brackets where it needs them, so it may
 * stand next to AND, OR and NOT as it is.
 *
 * @param column the timestamptz column as SQL text, quoted and qualified; it goes in unchecked, so never a caller's input
 * @param filters as `parseInstantFilter` gives them
 * @param parameters bound values so far; the bounds are appended as ISO 8601 strings in UTC and named `$n` from there on
 * @returns the predicate; `TRUE` for no filters, `FALSE` for a filter without a range
 */
export function instantFilterSql(column: string, filters: InstantFilter[], parameters: unknown[]): string {
  const comparison = (operator: '>=' | '<', bound: number | null): string[] => {
    if (bound === null) return [];
    // The cast and the Z make the meaning independent of the session's time zone and of what the driver infers.
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

/** One piece between commas, as what its prefix selects and the span of its value. */
function parsePiece(piece: string): [select: (span: Span, now: Ticks) => TickRange[], span: Span] {
  if (piece === '') throw new InstantFilterSyntaxError(piece, `a value is missing, expected [prefix]${VALUE_FORMS}`);
  // Every value begins with a digit, so whatever stands before the first one is meant as a prefix.
  const prefix = /^\D*/.exec(piece)?.[0] ?? '';
  const select = PREFIXES.get(prefix || 'eq');
  if (!select) {
    const known = [...PREFIXES.keys()].join(', ');
    throw new InstantFilterSyntaxError(piece, `unknown prefix ${quoted(prefix)}, expected one of ${known}, or none`);
  }
  return [select, parseSpan(piece, piece.slice(prefix.length))];
}

/** The whole span that a value of that precision stands for. */
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
  const second = field('second', groups.second, 0, 59);
  const fraction = groups.fraction ?? '';
  if (fraction.length > MAX_FRACTION_DIGITS) {
    throw new InstantFilterSyntaxError(piece, `a second has at most ${MAX_FRACTION_DIGITS} fraction digits here`);
  }
  const startOfMinute = day + (hour * 60 + minute - parseOffset(piece, groups.zone)) * MS_PER_MINUTE;
  if (groups.second === undefined) {
    return { start: ticks(startOfMinute), end: ticks(startOfMinute + MS_PER_MINUTE) };
  }

  const length = TICKS_PER_SECOND / 10n ** BigInt(fraction.length);
  // BigInt('') is 0n, so no fraction means the whole second.
  const start = ticks(startOfMinute + second * 1000) + BigInt(fraction) * length;
  return { start, end: start + length };
}

/** Minutes ahead of UTC; no zone means UTC (contract). */
function parseOffset(piece: string, zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(4));
  const offset = Number(zone.slice(1, 3)) * 60 + minutes;
  if (minutes > 59 || offset > MAX_OFFSET) {
    throw new InstantFilterSyntaxError(piece, 'the offset must be between -14:00 and +14:00, its minutes at most 59');
  }
  return zone.startsWith('-') ? -offset : offset;
}

/** Milliseconds at which that day begins in UTC; month 13 is January of the next year. */
function midnight(year: number, month = 1, day = 1): number {
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
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
 * The range as stored instants see it: none when no instant can lie in it.
 *
 * A stored instant is a whole millisecond v, for which v >= t is v >= ceil(t) and v < t is v < ceil(t): rounding both
 * bounds up is exact. And it lies in the years 0001 to 9999, since rows are stamped by the server's clock. Outside of
 * them JavaScript prints a form with a sign and six digits that PostgreSQL does not read, so a bound out there is not
 * printed: one that excludes no row is dropped, one that excludes every row takes the range with it.
 */
function inMilliseconds([fromTicks, untilTicks]: TickRange): InstantRange[] {
  const from = fromTicks === null ? -Infinity : roundedUp(fromTicks);
  const until = untilTicks === null ? Infinity : roundedUp(untilTicks);
  if (from >= until || from >= AFTER_LATEST || until <= EARLIEST) return [];
  return [{ from: from < EARLIEST ? null : from, until: until >= AFTER_LATEST ? null : until }];
}

function roundedUp(point: Ticks): number {
  // Division cuts towards zero, which is up already for a negative remainder.
  return Number(point / TICKS_PER_MS) + (point % TICKS_PER_MS > 0n ? 1 : 0);
}

/** For messages: escaped as in JSON, so that an odd piece can be seen, and short however long it is. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The rule behind the format `fhir-date-search`: what is wrong with a date search. */
export const checkInstantFilter: TextCheck = (text) => {
  try {
    parseInstantFilter(text, new Date());
    return undefined;
  } catch (error) {
    if (!(error instanceof InstantFilterSyntaxError)) throw error;
    return { msg: error.message, type: 'datetime_parsing' };
  }
};
