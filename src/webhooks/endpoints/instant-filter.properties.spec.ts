import fc from 'fast-check';
import { InstantFilterSyntaxError, matchesInstantFilters, parseInstantFilter } from './instant-filter';
import { cases } from '../../../test/support/random-cases';

const NOW = new Date('2026-07-10T00:00:00.000Z');

/*
 * The oracle. It shares nothing with the module: an instant is written out in the zone of the value with nine fraction
 * digits, by civil-from-days in whole numbers, and compared with the value as text. All fields are padded with zeros, so
 * the order of texts is the order of times, and "within the span" is "begins with the value". Only `ap`, and the choice
 * of instants to try, need the span in numbers: those come from days-from-civil, in nanoseconds.
 */

const PREFIXES = ['', 'eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const;
type Prefix = (typeof PREFIXES)[number];

/** A valid piece in parts; `offset` is that of `zone` in minutes. */
interface Piece {
  prefix: Prefix;
  digits: string;
  zone: string;
  offset: number;
}

const NS_PER_MS = 1_000_000n;
const NS_PER_MINUTE = 60_000_000_000n;
const NS_PER_DAY = 1440n * NS_PER_MINUTE;
const FIRST_MS = daysFromCivil(1, 1, 1) * 86_400_000;
const LAST_MS = daysFromCivil(10_000, 1, 1) * 86_400_000 - 1;

/** Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", for years from 0 on. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function civilFromDays(days: number): [year: number, month: number, day: number] {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch + (monthFromMarch < 10 ? 3 : -9);
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day];
}

function padded(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}

/** `0YYYY-MM-DDThh:mm:ss.nnnnnnnnn` on a clock `offset` minutes ahead of UTC; five digits for the year 10000. */
function onTheClock(ms: number, offset: number): string {
  const local = ms + offset * 60_000;
  const days = Math.floor(local / 86_400_000);
  const rest = local - days * 86_400_000;
  const [year, month, day] = civilFromDays(days);
  const time = [Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60, Math.floor(rest / 1000) % 60];
  const date = `${padded(year, 5)}-${padded(month)}-${padded(day)}`;
  return `${date}T${time.map((part) => padded(part)).join(':')}.${padded(rest % 1000, 3)}000000`;
}

/** First nanosecond of the span, and the first one after it. */
function spanOf({ digits, offset }: Piece): [start: bigint, end: bigint] {
  const fields = digits.split(/[-T:.]/);
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields.map(Number) as [number, ...number[]];
  const midnight = (...civil: [number, number, number]): bigint => BigInt(daysFromCivil(...civil)) * NS_PER_DAY;
  const fraction = (fields[6] ?? '').padEnd(9, '0').slice(0, 9);
  const start =
    midnight(year, month, day) +
    BigInt(hour * 60 + minute - offset) * NS_PER_MINUTE +
    BigInt(second) * 1_000_000_000n +
    BigInt(fraction);
  if (fields.length === 1) return [start, midnight(year + 1, 1, 1)];
  if (fields.length === 2) return [start, month === 12 ? midnight(year + 1, 1, 1) : midnight(year, month + 1, 1)];
  if (fields.length === 3) return [start, start + NS_PER_DAY];
  if (fields.length === 5) return [start, start + NS_PER_MINUTE];
  return [start, start + 10n ** BigInt(Math.max(0, 9 - (fields[6] ?? '').length))];
}

/** Ten times the distance to the span is compared, so that nothing needs to be divided. */
function approximately(piece: Piece, ms: number, now: number): boolean {
  const [start, end] = spanOf(piece);
  const gap = (point: bigint): bigint => (point < start ? start - point : point >= end ? point - end : 0n);
  const point = BigInt(ms) * NS_PER_MS;
  const margin = gap(BigInt(now) * NS_PER_MS);
  if (point < start) return gap(point) * 10n <= margin;
  return point < end || gap(point) * 10n < margin;
}

function oracle(piece: Piece, ms: number, now: number): boolean {
  const value = `0${piece.digits}`;
  const clock = onTheClock(ms, piece.offset).slice(0, value.length);
  switch (piece.prefix) {
    case '':
    case 'eq':
      return clock === value;
    case 'ne':
      return clock !== value;
    case 'gt':
    case 'sa':
      return clock > value;
    case 'lt':
    case 'eb':
      return clock < value;
    case 'ge':
      return clock >= value;
    case 'le':
      return clock <= value;
    case 'ap':
      return approximately(piece, ms, now);
  }
}

function text({ prefix, digits, zone }: Piece): string {
  return `${prefix}${digits}${zone}`;
}

function storable(ms: number): number {
  return Math.min(Math.max(ms, FIRST_MS), LAST_MS);
}

/** The milliseconds around both ends of the span and, for `ap`, around both ends of the widened one. */
function boundaries(piece: Piece, now: number): number[] {
  const [start, end] = spanOf(piece);
  const nowNs = BigInt(now) * NS_PER_MS;
  const margin = (nowNs < start ? start - nowNs : nowNs > end ? nowNs - end : 0n) / 10n;
  const ends = piece.prefix === 'ap' ? [start, end, start - margin, end + margin] : [start, end];
  return ends
    .map((ns) => Number(ns / NS_PER_MS))
    .flatMap((ms) => [ms - 2, ms - 1, ms, ms + 1, ms + 2])
    .map(storable);
}

/** The instants on which module and oracle disagree, as text. */
function disagreements(piece: Piece, instants: number[], now: number): string[] {
  const filter = parseInstantFilter(text(piece), new Date(now));
  return instants.flatMap((ms) => {
    const expected = oracle(piece, ms, now);
    if (matchesInstantFilters(new Date(ms), [filter]) === expected) return [];
    return [`${text(piece)} at ${onTheClock(ms, 0)} now ${onTheClock(now, 0)}: expected ${expected}`];
  });
}

const zone = fc.oneof(
  fc.constantFrom(
    { zone: '', offset: 0 },
    { zone: 'Z', offset: 0 },
    { zone: '-00:00', offset: 0 },
    { zone: '+14:00', offset: 840 },
    { zone: '-14:00', offset: -840 },
  ),
  fc.tuple(fc.constantFrom('+', '-', ' '), fc.integer({ min: 0, max: 840 })).map(([sign, minutes]) => ({
    zone: `${sign}${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`,
    offset: sign === '-' ? -minutes : minutes,
  })),
);

/** Any valid piece, with edge cases of calendar and clock more frequent than by chance. */
const piece: fc.Arbitrary<Piece> = fc
  .record({
    prefix: fc.constantFrom(...PREFIXES),
    precision: fc.constantFrom('year', 'month', 'day', 'minute', 'second', 'fraction'),
    year: fc.oneof(
      fc.integer({ min: 1, max: 9999 }),
      fc.constantFrom(1, 2, 4, 99, 100, 400, 1900, 1969, 1970, 2000, 2024, 2026, 2100, 9996, 9998, 9999),
    ),
    month: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(1, 2, 12)),
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(1, 28, 31)),
    hour: fc.oneof(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 23)),
    minute: fc.oneof(fc.integer({ min: 0, max: 59 }), fc.constantFrom(0, 59)),
    second: fc.oneof(fc.integer({ min: 0, max: 59 }), fc.constantFrom(0, 59)),
    fraction: fc
      .array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 9 })
      .map((digits) => digits.join('')),
    zone,
  })
  .map(({ prefix, precision, year, month, day, hour, minute, second, fraction, zone }) => {
    const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
    const length = next - daysFromCivil(year, month, 1);
    const date = `${padded(year, 4)}-${padded(month)}-${padded(Math.min(day, length))}`;
    const time = `${padded(hour)}:${padded(minute)}:${padded(second)}.${fraction}`;
    const widths = { year: 4, month: 7, day: 10, minute: 16, second: 19, fraction: 30 };
    const digits = `${date}T${time}`.slice(0, widths[precision]);
    return digits.length > 10 ? { prefix, digits, ...zone } : { prefix, digits, zone: '', offset: 0 };
  });

const instant = fc.integer({ min: FIRST_MS, max: LAST_MS });
/** Anywhere in the calendar, or around the years of the examples. */
const now = fc.oneof(instant, fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }));

describe('The created_at filter, against an independent oracle', () => {
  it('has an oracle that knows the calendar', () => {
    // Otherwise two errors could cancel out.
    expect(onTheClock(Date.parse('2024-02-29T23:59:59.999Z'), 0)).toBe('02024-02-29T23:59:59.999000000');
    expect(onTheClock(Date.parse('1969-12-31T23:59:59.999Z'), 1)).toBe('01970-01-01T00:00:59.999000000');
    expect(FIRST_MS).toBe(Date.parse('0001-01-01T00:00:00Z'));
    expect(LAST_MS).toBe(Date.parse('9999-12-31T23:59:59.999Z'));
    // Steps of 97 days reach every month, and in time every day of the year; checking each day takes half a minute.
    for (let days = daysFromCivil(1, 1, 1); days <= daysFromCivil(9999, 12, 31); days += 97) {
      const [year, month, day] = civilFromDays(days);
      const printed = `${padded(year, 4)}-${padded(month)}-${padded(day)}T00:00:00.000Z`;
      if (new Date(days * 86_400_000).toISOString() !== printed) throw new Error(printed);
      if (daysFromCivil(year, month, day) !== days) throw new Error(printed);
    }
  });

  it('agrees at the ends of the span for every prefix, precision and kind of offset', () => {
    const dates = ['0001-01-01', '0004-02-29', '1900-02-28', '1969-12-31', '1970-01-01', '2000-02-29', '2026-03-31'];
    const times = ['00:00:00', '09:59:59', '23:59:59'];
    const fractions = ['0', '5', '99', '000', '123', '999', '1230', '1239', '0000009', '999999999'];
    const zones: [string, number][] = [
      ['', 0],
      ['Z', 0],
      ['+00:00', 0],
      ['-00:00', 0],
      [' 00:00', 0],
      ['+05:30', 330],
      [' 05:45', 345],
      ['-03:30', -210],
      ['+14:00', 840],
      ['-14:00', -840],
    ];
    const pieces = [...dates, '2026-12-31', '9999-12-31'].flatMap((date) => {
      const clocks = times.flatMap((time) => [
        time.slice(0, 5),
        time,
        ...fractions.map((fraction) => `${time}.${fraction}`),
      ]);
      const dated = [date.slice(0, 4), date.slice(0, 7), date].map((digits) => ({ digits, zone: '', offset: 0 }));
      const timed = clocks.flatMap((clock) =>
        zones.map(([zone, offset]) => ({ digits: `${date}T${clock}`, zone, offset })),
      );
      return [...dated, ...timed].flatMap((rest) => PREFIXES.map((prefix): Piece => ({ prefix, ...rest })));
    });
    const now = NOW.getTime();
    expect(pieces.flatMap((piece) => disagreements(piece, boundaries(piece, now), now))).toEqual([]);
  });

  it('agrees for any piece, at any instant, at any now', () => {
    fc.assert(
      fc.property(piece, now, fc.array(instant, { maxLength: 4 }), (piece, now, instants) => {
        expect(disagreements(piece, [...instants, ...boundaries(piece, now)], now)).toEqual([]);
      }),
      { numRuns: cases(2000) },
    );
  });

  it('agrees if now is close to the span or in it', () => {
    const nearby = fc.record({ end: fc.integer({ min: 0, max: 19 }), delta: fc.integer({ min: -120, max: 120 }) });
    fc.assert(
      fc.property(piece, nearby, (value, { end, delta }) => {
        const piece: Piece = { ...value, prefix: 'ap' };
        const now = storable((boundaries(piece, NOW.getTime())[end] ?? 0) + delta);
        expect(disagreements(piece, boundaries(piece, now), now)).toEqual([]);
      }),
      { numRuns: cases(1500) },
    );
  });

  it('agrees on OR within a parameter and AND between them', () => {
    const parameters = fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(parameters, instant, (parameters, instant) => {
        const now = NOW.getTime();
        const filters = parameters.map((pieces) => parseInstantFilter(pieces.map(text).join(','), NOW));
        for (const ms of [instant, ...parameters.flat().flatMap((piece) => boundaries(piece, now))]) {
          const expected = parameters.every((pieces) => pieces.some((piece) => oracle(piece, ms, now)));
          expect(matchesInstantFilters(new Date(ms), filters)).toBe(expected);
        }
      }),
      { numRuns: cases(100) },
    );
  });
});

/** A second implementation of validity: the shape with every digit as 9, and a calendar that must return the digits. */
function isValid(text: string): boolean {
  const prefix = PREFIXES.find((prefix) => prefix !== '' && text.startsWith(prefix)) ?? '';
  const value = text.slice(prefix.length);
  const shape = value.replaceAll(/[0-9]/g, '9');
  if (['9999', '9999-99', '9999-99-99'].includes(shape)) return isOnTheCalendar(value);

  const zone = ['Z', '+99:99', '-99:99', ' 99:99'].find((zone) => shape.endsWith(zone)) ?? '';
  const digits = value.slice(0, value.length - zone.length);
  const clocks = ['', ':99', ...Array.from({ length: 40 }, (_, index) => `:99.${'9'.repeat(index + 1)}`)];
  if (!clocks.some((clock) => `9999-99-99T99:99${clock}${zone}` === shape)) return false;

  const [hours = 0, minutes = 0] = zone.length > 1 ? value.slice(-5).split(':').map(Number) : [];
  // FHIR takes a leap second at the end of any minute.
  const ordinary = digits.replace(/(?<=T\d\d:\d\d:)60/, '59');
  return minutes < 60 && hours * 60 + minutes <= 840 && isOnTheCalendar(ordinary);
}

function isOnTheCalendar(digits: string): boolean {
  const [year = 0, month = 1] = digits.split('-').map((field) => parseInt(field, 10));
  if (year === 0 || month < 1 || month > 12) return false;
  const [start] = spanOf({ prefix: '', digits, zone: '', offset: 0 });
  // Fraction digits beyond the third are always valid, and a millisecond clock does not show them.
  const shown = `0${digits}`.slice(0, 24);
  const ms = start / NS_PER_MS - (start % NS_PER_MS < 0n ? 1n : 0n);
  return onTheClock(Number(ms), 0).startsWith(shown);
}

function isAccepted(parameter: string): boolean {
  try {
    parseInstantFilter(parameter, NOW);
    return true;
  } catch (error) {
    // Any other error would become a 500.
    expect(error).toBeInstanceOf(InstantFilterSyntaxError);
    return false;
  }
}

describe('The created_at filter, for random input', () => {
  it('accepts every valid parameter', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        expect(pieces.map(text).filter((piece) => !isValid(piece))).toEqual([]);
        expect(isAccepted(pieces.map(text).join(','))).toBe(true);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('throws nothing but InstantFilterSyntaxError', () => {
    const alphabet = fc.constantFrom(...'0123456789-:.,TZ+ eqnegtltleapsab\n\u0000\u0660é𝟙');
    const noise = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: alphabet, maxLength: 40 }),
      fc.constantFrom('constructor', '__proto__', 'toString', 'NaN', 'Infinity', '\ud800'),
    );
    fc.assert(
      fc.property(noise, (parameter) => {
        expect(isAccepted(parameter)).toBe(parameter.split(',').every(isValid));
      }),
      { numRuns: cases(5000) },
    );
  });

  it('accepts the same values as a second implementation, for values with one or two errors', () => {
    const character = fc.constantFrom(...'0123456789-:.,TZtz+ eqg\n');
    const edit = fc.record({
      at: fc.nat({ max: 35 }),
      removed: fc.nat({ max: 3 }),
      inserted: fc.string({ unit: character, maxLength: 2 }),
    });
    const outcomes = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(piece, fc.array(edit, { minLength: 1, maxLength: 2 }), (piece, edits) => {
        const parameter = edits.reduce(
          (text, { at, removed, inserted }) => text.slice(0, at) + inserted + text.slice(at + removed),
          text(piece),
        );
        const accepted = isAccepted(parameter);
        outcomes[accepted ? 'accepted' : 'refused'] += 1;
        if (accepted !== parameter.split(',').every(isValid)) throw new Error(JSON.stringify(parameter));
      }),
      { numRuns: cases(5000) },
    );
    // Both outcomes occurred, so the agreement means something.
    expect(outcomes.accepted).toBeGreaterThan(cases(500));
    expect(outcomes.refused).toBeGreaterThan(cases(500));
  });

  it('gives non-empty ranges, with bounds that have four-digit years', () => {
    fc.assert(
      fc.property(piece, now, (piece, now) => {
        for (const { from, until } of parseInstantFilter(text(piece), new Date(now))) {
          expect(from ?? FIRST_MS).toBeLessThan(until ?? LAST_MS + 1);
          for (const bound of [from, until]) {
            if (bound !== null) expect(new Date(bound).toISOString()).toMatch(/^\d{4}-/);
          }
        }
      }),
      { numRuns: cases(1000) },
    );
  });
});
