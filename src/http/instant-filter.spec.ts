import fc from 'fast-check';
import {
  InstantFilter,
  InstantFilterSyntaxError,
  instantFilterSql,
  matchesInstantFilters,
  parseInstantFilter,
} from './instant-filter';

const NOW = new Date('2026-07-10T00:00:00.000Z');

/** Whether an instant passes the given parameters, as the endpoint would ask. */
function passes(instant: string, ...parameters: string[]): boolean {
  return matchesInstantFilters(
    new Date(instant),
    parameters.map((parameter) => parseInstantFilter(parameter, NOW)),
  );
}

/** The ranges of one parameter with readable bounds. */
function ranges(parameter: string, now = NOW): [from: string | null, until: string | null][] {
  const printed = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return parseInstantFilter(parameter, now).map(({ from, until }) => [printed(from), printed(until)]);
}

describe('the rule of the contract, by example', () => {
  it('takes no prefix for eq', () => {
    expect(ranges('2026-03')).toEqual(ranges('eq2026-03'));
  });

  it.each([
    ['2026', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-03', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-03-31', '2026-03-31T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2026-03-01T10:59Z', '2026-03-01T10:59:00.000Z', '2026-03-01T11:00:00.000Z'],
    ['2026-03-01T10:00:59Z', '2026-03-01T10:00:59.000Z', '2026-03-01T10:01:00.000Z'],
    ['2026-03-01T10:00:00.1Z', '2026-03-01T10:00:00.100Z', '2026-03-01T10:00:00.200Z'],
    ['2026-03-01T10:00:00.99Z', '2026-03-01T10:00:00.990Z', '2026-03-01T10:00:01.000Z'],
    ['2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.124Z'],
    ['2026-03-01T10:00:00.1230Z', '2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.124Z'],
    ['2026-03-01T10:00:00.123000000Z', '2026-03-01T10:00:00.123Z', '2026-03-01T10:00:00.124Z'],
    ['1969-12-31T23:59:59.999000000Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'],
    ['0099-03', '0099-03-01T00:00:00.000Z', '0099-04-01T00:00:00.000Z'],
  ])('%s stands for the whole span of its precision', (value, from, until) => {
    expect(ranges(value)).toEqual([[from, until]]);
  });

  it.each([
    ['no offset, which is UTC', '2026-03-01T10:00', '2026-03-01T10:00:00.000Z'],
    ['Z', '2026-03-01T10:00Z', '2026-03-01T10:00:00.000Z'],
    ['an offset', '2026-03-01T10:00+02:00', '2026-03-01T08:00:00.000Z'],
    ['an offset to the west', '2026-03-01T10:00-03:30', '2026-03-01T13:30:00.000Z'],
    ['an offset of minus zero', '2026-03-01T10:00-00:00', '2026-03-01T10:00:00.000Z'],
    ['the largest offset', '2026-03-01T10:00+14:00', '2026-02-28T20:00:00.000Z'],
    ['the smallest offset', '2026-03-01T10:00-14:00', '2026-03-02T00:00:00.000Z'],
    ['a space for an unescaped +', '2026-03-01T10:00 02:00', '2026-03-01T08:00:00.000Z'],
    ['seconds and an offset', '2026-03-01T10:00:00 02:00', '2026-03-01T08:00:00.000Z'],
    ['a fraction and an offset', '2026-03-01T10:00:00.0+02:00', '2026-03-01T08:00:00.000Z'],
  ])('takes a date-time with %s', (_, value, from) => {
    expect(ranges(`ge${value}`)).toEqual([[from, null]]);
  });

  it.each([
    ['eq', [['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z']]],
    [
      'ne',
      [
        [null, '2026-03-01T00:00:00.000Z'],
        ['2026-04-01T00:00:00.000Z', null],
      ],
    ],
    ['gt', [['2026-04-01T00:00:00.000Z', null]]],
    ['sa', [['2026-04-01T00:00:00.000Z', null]]],
    ['ge', [['2026-03-01T00:00:00.000Z', null]]],
    ['lt', [[null, '2026-03-01T00:00:00.000Z']]],
    ['eb', [[null, '2026-03-01T00:00:00.000Z']]],
    ['le', [[null, '2026-04-01T00:00:00.000Z']]],
    // Now is 100 days after the end of March, so ten days on both sides.
    ['ap', [['2026-02-19T00:00:00.000Z', '2026-04-11T00:00:00.000Z']]],
  ])('%s2026-03 selects its side of March', (prefix, expected) => {
    expect(ranges(`${prefix}2026-03`)).toEqual(expected);
  });

  it('ap widens a span in the future as well, by the distance to its start', () => {
    expect(ranges('ap2026-07-20')).toEqual([['2026-07-19T00:00:00.000Z', '2026-07-22T00:00:00.000Z']]);
  });

  it.each([
    ['within', '2026-07-10T12:00:00Z'],
    ['at the first instant of', '2026-07-10T00:00:00Z'],
    ['at the end of', '2026-07-11T00:00:00Z'],
  ])('ap widens by nothing when now is %s the span', (_, now) => {
    expect(ranges('ap2026-07-10', new Date(now))).toEqual(ranges('2026-07-10'));
  });

  it('ap rounds only once, at the end', () => {
    // Now is 1 ms after the span, which becomes [12.9 ms, 14.1 ms): 14 lies in it, 12 does not.
    expect(ranges('ap2026-07-10T00:00:00.013Z', new Date('2026-07-10T00:00:00.015Z'))).toEqual([
      ['2026-07-10T00:00:00.013Z', '2026-07-10T00:00:00.015Z'],
    ]);
  });

  it('joins commas inside a parameter by OR', () => {
    expect(ranges('lt2026-05,sa2026-09-01')).toEqual([
      [null, '2026-05-01T00:00:00.000Z'],
      ['2026-09-02T00:00:00.000Z', null],
    ]);
  });

  it('joins several parameters by AND', () => {
    const parameters = ['ge2026-03', 'lt2026-05,sa2026-09-01'];
    expect(passes('2026-02-28T23:59:59.999Z', ...parameters)).toBe(false);
    expect(passes('2026-03-01T00:00:00.000Z', ...parameters)).toBe(true);
    expect(passes('2026-04-30T23:59:59.999Z', ...parameters)).toBe(true);
    expect(passes('2026-05-01T00:00:00.000Z', ...parameters)).toBe(false);
    expect(passes('2026-09-01T23:59:59.999Z', ...parameters)).toBe(false);
    expect(passes('2026-09-02T00:00:00.000Z', ...parameters)).toBe(true);
  });

  it('lets everything pass without a parameter, and nothing through a filter without a range', () => {
    expect(matchesInstantFilters(NOW, [])).toBe(true);
    expect(matchesInstantFilters(NOW, [[]])).toBe(false);
    expect(matchesInstantFilters(NOW, [[{ from: null, until: null }], []])).toBe(false);
  });
});

describe('spans finer than a millisecond', () => {
  it('holds no stored instant unless a whole millisecond lies in it', () => {
    expect(ranges('2026-03-01T10:00:00.123456Z')).toEqual([]);
    expect(ranges('2026-03-01T10:00:00.123000001Z')).toEqual([]);
    expect(ranges('1969-03-01T10:00:00.123456Z')).toEqual([]);
  });

  it.each(['1960', '2026'])('splits the milliseconds of %s exactly', (year) => {
    const value = `${year}-03-01T10:00:00.1234Z`;
    const below = `${year}-03-01T10:00:00.123Z`;
    const above = `${year}-03-01T10:00:00.124Z`;
    expect([passes(below, `lt${value}`), passes(above, `lt${value}`)]).toEqual([true, false]);
    expect([passes(below, `le${value}`), passes(above, `le${value}`)]).toEqual([true, false]);
    expect([passes(below, `gt${value}`), passes(above, `gt${value}`)]).toEqual([false, true]);
    expect([passes(below, `ge${value}`), passes(above, `ge${value}`)]).toEqual([false, true]);
    expect([passes(below, `ne${value}`), passes(above, `ne${value}`)]).toEqual([true, true]);
  });
});

describe('the edges of the years 0001 to 9999', () => {
  it.each([
    ['ge0001', [['0001-01-01T00:00:00.000Z', null]]],
    ['eq9999', [['9999-01-01T00:00:00.000Z', null]]],
    ['le9999', [[null, null]]],
    ['ge0001-01-01T00:00+14:00', [[null, null]]],
    ['lt9999-12-31T23:59-14:00', [[null, null]]],
    ['ap0100', [[null, '0293-07-21T04:48:00.000Z']]],
    ['ap9900', [['9112-08-27T02:24:00.000Z', null]]],
    ['ne9999', [[null, '9999-01-01T00:00:00.000Z']]],
    ['ne0001', [['0002-01-01T00:00:00.000Z', null]]],
  ])('%s leaves a bound open that no row lies beyond', (parameter, expected) => {
    expect(ranges(parameter)).toEqual(expected);
  });

  it.each(['gt9999', 'sa9999-12-31', 'ge9999-12-31T23:59-14:00', 'lt0001', 'eb0001-01-01', 'le0001-01-01T00:00+14:00'])(
    '%s selects nothing, rather than everything',
    (parameter) => {
      expect(ranges(parameter)).toEqual([]);
    },
  );
});

const MALFORMED: [reason: string, parameters: string[]][] = [
  ['a value is missing', ['', ',', ',2026', '2026,', '2026,,2027']],
  ['unknown prefix', ['xx2026', 'GE2026', 'Eq2026', 'e2026', 'gege2026', 'ne 2026', ' ', ' 2026', '\t2026', '\n2026']],
  ['unknown prefix', ['-2026', '+2026', '>=2026', 'constructor2026', '__proto__2026', 'today', '٢٠٢٦', '\u00002026']],
  [
    'not a date or date-time',
    ['ge', '2026 ', '2026\n', '2026Z', '2026-', '2026-3', '26', '02026', '20260301', '2026/03'],
  ],
  [
    'not a date or date-time',
    ['2026-03Z', '2026-03-01Z', '2026-03-01+02:00', '2026-03-01 02:00', '2026-03-1', '2026-060'],
  ],
  [
    'not a date or date-time',
    ['2026-03-01T', '2026-03-01T10', '2026-03-01T10Z', '2026-03-01T1000', '2026-03-01t10:00'],
  ],
  ['not a date or date-time', ['2026-03-01T10:00z', '2026-03-01T10:00Z ', '2026-03-01T10:00ZZ', '2026-03-01 10:00']],
  ['not a date or date-time', ['2026-03-01T10:00.5', '2026-03-01T10:00:00.', '2026-03-01T10:00:00,5', '2026-W10']],
  [
    'not a date or date-time',
    ['2026-03-01T10:00+2', '2026-03-01T10:00+02', '2026-03-01T10:00+0200', '2026-03-01T10:00  02:00'],
  ],
  ['not a date or date-time', ['2026-03-01T10:00\u221202:00', '2026-03-01T10:00+02:00Z', '2026-03-01T10:00+02:00:00']],
  ['year must be between 1 and 9999', ['0000', 'ge0000-01-01']],
  ['month must be between 1 and 12', ['2026-00', '2026-13', '2026-13-01']],
  ['day of that month must be between 1 and 31', ['2026-03-00', '2026-03-32', '2026-12-32']],
  ['day of that month must be between 1 and 30', ['2026-04-31', '2026-11-31T10:00']],
  [
    'day of that month must be between 1 and 28',
    ['2026-02-29', '2026-02-30', '1900-02-29', '2100-02-29', '0001-02-29'],
  ],
  ['day of that month must be between 1 and 29', ['2024-02-30', '2000-02-30', '0004-02-30']],
  ['hour must be between 0 and 23', ['2026-03-01T24:00', '2026-03-01T24:00:00Z', '2026-03-01T99:00']],
  ['minute must be between 0 and 59', ['2026-03-01T10:60', '2026-03-01T10:99:00']],
  ['second must be between 0 and 59', ['2026-03-01T10:00:60', '2016-12-31T23:59:60Z']],
  ['offset must be', ['2026-03-01T10:00+14:01', '2026-03-01T10:00-14:01', '2026-03-01T10:00+15:00']],
  ['offset must be', ['2026-03-01T10:00+02:60', '2026-03-01T10:00 99:00', '2026-03-01T10:00-00:99']],
  ['at most 9 fraction digits', ['2026-03-01T10:00:00.1234567890Z', `2026-03-01T10:00:00.${'0'.repeat(5000)}`]],
];

describe('anything else', () => {
  const failure = (parameter: string): unknown => {
    try {
      return parseInstantFilter(parameter, NOW);
    } catch (error) {
      return error;
    }
  };

  it.each(MALFORMED.flatMap(([reason, parameters]) => parameters.map((parameter) => [parameter, reason])))(
    '%j is refused: %s',
    (parameter, reason) => {
      const error = failure(parameter);
      expect(error).toBeInstanceOf(InstantFilterSyntaxError);
      expect((error as Error).message).toContain(reason);
    },
  );

  it('names the faulty piece and not the others', () => {
    expect(failure('ge2026,lt2026-02-30,le2027')).toMatchObject({
      name: 'InstantFilterSyntaxError',
      message: '"lt2026-02-30": the day of that month must be between 1 and 28',
    });
  });

  it('keeps the message short', () => {
    expect((failure('x'.repeat(10_000)) as Error).message.length).toBeLessThan(300);
  });
});

/*
 * The oracle. It shares nothing with the module: an instant is written out in the zone of the value with nine fraction
 * digits, by civil-from-days in whole numbers, and compared with the value as text. All fields are padded with zeros, so
 * the order of texts is the order of times, and "within the span" is "begins with the value". Only `ap`, and the choice
 * of instants to try, need the span in numbers: those come from days-from-civil, in nanoseconds.
 */

const PREFIXES = ['', 'eq', 'ne', 'gt', 'ge', 'lt', 'le', 'sa', 'eb', 'ap'] as const;
type Prefix = (typeof PREFIXES)[number];

/** A valid piece in parts; `offset` in minutes is what `zone` says. */
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

/** `0YYYY-MM-DDThh:mm:ss.nnnnnnnnn` on a clock `offset` minutes ahead of UTC; five digits, for it may be 10000 there. */
function onTheClock(ms: number, offset: number): string {
  const local = ms + offset * 60_000;
  const days = Math.floor(local / 86_400_000);
  const rest = local - days * 86_400_000;
  const [year, month, day] = civilFromDays(days);
  const time = [Math.floor(rest / 3_600_000), Math.floor(rest / 60_000) % 60, Math.floor(rest / 1000) % 60];
  const date = `${padded(year, 5)}-${padded(month)}-${padded(day)}`;
  return `${date}T${time.map((part) => padded(part)).join(':')}.${padded(rest % 1000, 3)}000000`;
}

/** First nanosecond of the span, and the first after it. */
function spanOf({ digits, offset }: Piece): [start: bigint, end: bigint] {
  const fields = digits.split(/[-T:.]/);
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields.map(Number) as [number, ...number[]];
  const midnight = (...civil: [number, number, number]): bigint => BigInt(daysFromCivil(...civil)) * NS_PER_DAY;
  const fraction = (fields[6] ?? '').padEnd(9, '0');
  const start =
    midnight(year, month, day) +
    BigInt(hour * 60 + minute - offset) * NS_PER_MINUTE +
    BigInt(second) * 1_000_000_000n +
    BigInt(fraction);
  if (fields.length === 1) return [start, midnight(year + 1, 1, 1)];
  if (fields.length === 2) return [start, month === 12 ? midnight(year + 1, 1, 1) : midnight(year, month + 1, 1)];
  if (fields.length === 3) return [start, start + NS_PER_DAY];
  if (fields.length === 5) return [start, start + NS_PER_MINUTE];
  return [start, start + 10n ** BigInt(9 - (fields[6] ?? '').length)];
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

/** The milliseconds around both ends of the span and, for `ap`, also around both ends of the widened one. */
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

/** Those of the instants on which module and oracle disagree, in words. */
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

/** Any valid piece, with the edges of calendar and clock more often than chance would bring them. */
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

describe('against an independent oracle', () => {
  it('knows the calendar, in the oracle', () => {
    // Otherwise two mistakes could agree.
    expect(onTheClock(Date.parse('2024-02-29T23:59:59.999Z'), 0)).toBe('02024-02-29T23:59:59.999000000');
    expect(onTheClock(Date.parse('1969-12-31T23:59:59.999Z'), 1)).toBe('01970-01-01T00:00:59.999000000');
    expect(FIRST_MS).toBe(Date.parse('0001-01-01T00:00:00Z'));
    expect(LAST_MS).toBe(Date.parse('9999-12-31T23:59:59.999Z'));
    // Steps of 97 days meet every month, and every day of the year in time; each single day takes half a minute.
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

  it('agrees on any piece, at any instant, at any now', () => {
    fc.assert(
      fc.property(piece, now, fc.array(instant, { maxLength: 4 }), (piece, now, instants) => {
        expect(disagreements(piece, [...instants, ...boundaries(piece, now)], now)).toEqual([]);
      }),
      { numRuns: 5000 },
    );
  });

  it('agrees when now is close to the span or in it', () => {
    const nearby = fc.record({ end: fc.integer({ min: 0, max: 19 }), delta: fc.integer({ min: -120, max: 120 }) });
    fc.assert(
      fc.property(piece, nearby, (value, { end, delta }) => {
        const piece: Piece = { ...value, prefix: 'ap' };
        const now = storable((boundaries(piece, NOW.getTime())[end] ?? 0) + delta);
        expect(disagreements(piece, boundaries(piece, now), now)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees on OR within parameters and AND over them', () => {
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
      { numRuns: 200 },
    );
  });
});

/** A second opinion on what is valid: the shape with every digit as 9, and a calendar that must give back the digits. */
function isValid(text: string): boolean {
  const prefix = PREFIXES.find((prefix) => prefix !== '' && text.startsWith(prefix)) ?? '';
  const value = text.slice(prefix.length);
  const shape = value.replaceAll(/[0-9]/g, '9');
  if (['9999', '9999-99', '9999-99-99'].includes(shape)) return isOnTheCalendar(value);

  const zone = ['Z', '+99:99', '-99:99', ' 99:99'].find((zone) => shape.endsWith(zone)) ?? '';
  const digits = value.slice(0, value.length - zone.length);
  const clocks = ['', ':99', ...Array.from({ length: 9 }, (_, index) => `:99.${'9'.repeat(index + 1)}`)];
  if (!clocks.some((clock) => `9999-99-99T99:99${clock}${zone}` === shape)) return false;

  const [hours = 0, minutes = 0] = zone.length > 1 ? value.slice(-5).split(':').map(Number) : [];
  return minutes < 60 && hours * 60 + minutes <= 840 && isOnTheCalendar(digits);
}

function isOnTheCalendar(digits: string): boolean {
  const [year = 0, month = 1] = digits.split('-').map((field) => parseInt(field, 10));
  if (year === 0 || month < 1 || month > 12) return false;
  const [start] = spanOf({ prefix: '', digits, zone: '', offset: 0 });
  // Fraction digits past the third cannot be wrong, and a clock in milliseconds does not show them.
  const shown = `0${digits}`.slice(0, 24);
  const ms = start / NS_PER_MS - (start % NS_PER_MS < 0n ? 1n : 0n);
  return onTheClock(Number(ms), 0).startsWith(shown);
}

function isAccepted(parameter: string): boolean {
  try {
    parseInstantFilter(parameter, NOW);
    return true;
  } catch (error) {
    // A failure of any other kind would become a 500.
    expect(error).toBeInstanceOf(InstantFilterSyntaxError);
    return false;
  }
}

describe('on any input', () => {
  it('accepts every valid parameter', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        expect(pieces.map(text).filter((piece) => !isValid(piece))).toEqual([]);
        expect(isAccepted(pieces.map(text).join(','))).toBe(true);
      }),
      { numRuns: 2000 },
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
      { numRuns: 10_000 },
    );
  });

  it('draws the line where the second opinion does, for values with one or two faults', () => {
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
      { numRuns: 10_000 },
    );
    // Both sides of the line were visited, so the agreement means something.
    expect(outcomes.accepted).toBeGreaterThan(500);
    expect(outcomes.refused).toBeGreaterThan(500);
  });

  it('gives ranges that hold an instant, with bounds that print with four digits for the year', () => {
    fc.assert(
      fc.property(piece, now, (piece, now) => {
        for (const { from, until } of parseInstantFilter(text(piece), new Date(now))) {
          expect(from ?? FIRST_MS).toBeLessThan(until ?? LAST_MS + 1);
          for (const bound of [from, until]) {
            if (bound !== null) expect(new Date(bound).toISOString()).toMatch(/^\d{4}-/);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('instantFilterSql', () => {
  const filters = (...parameters: string[]): InstantFilter[] =>
    parameters.map((parameter) => parseInstantFilter(parameter, NOW));

  it('is TRUE for no filters and binds nothing', () => {
    const parameters: unknown[] = ['bound before'];
    expect(instantFilterSql('created_at', [], parameters)).toBe('TRUE');
    expect(parameters).toEqual(['bound before']);
  });

  it('is FALSE for a filter without a range', () => {
    const parameters: unknown[] = [];
    expect(instantFilterSql('created_at', filters('2026-03-01T10:00:00.123456Z'), parameters)).toBe('FALSE');
    expect(instantFilterSql('created_at', filters('gt9999', 'ge2026'), parameters)).toBe(
      '(FALSE AND created_at >= $1::timestamptz)',
    );
    expect(parameters).toEqual(['2026-01-01T00:00:00.000Z']);
  });

  it('is TRUE for a range without bounds', () => {
    const parameters: unknown[] = [];
    expect(instantFilterSql('created_at', filters('le9999'), parameters)).toBe('TRUE');
    expect(parameters).toEqual([]);
  });

  it.each([
    ['ge2026-03', 'created_at >= $1::timestamptz', ['2026-03-01T00:00:00.000Z']],
    ['lt2026-03', 'created_at < $1::timestamptz', ['2026-03-01T00:00:00.000Z']],
    ['ge1970', 'created_at >= $1::timestamptz', ['1970-01-01T00:00:00.000Z']],
    [
      'eq2026-03',
      '(created_at >= $1::timestamptz AND created_at < $2::timestamptz)',
      ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ],
    [
      'ne2026-03',
      '(created_at < $1::timestamptz OR created_at >= $2::timestamptz)',
      ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ],
  ])('puts %s as one operand', (parameter, sql, bound) => {
    const parameters: unknown[] = [];
    expect(instantFilterSql('created_at', filters(parameter), parameters)).toBe(sql);
    expect(parameters).toEqual(bound);
  });

  it('joins parameters by AND and pieces by OR, and counts on from what is bound', () => {
    const parameters: unknown[] = ['an-organisation', 20];
    expect(instantFilterSql('w."created_at"', filters('ge2026-03', '2026-05,sa2026-09-01'), parameters)).toBe(
      '(w."created_at" >= $3::timestamptz AND ' +
        '((w."created_at" >= $4::timestamptz AND w."created_at" < $5::timestamptz) OR w."created_at" >= $6::timestamptz))',
    );
    expect(parameters).toEqual([
      'an-organisation',
      20,
      '2026-03-01T00:00:00.000Z',
      '2026-05-01T00:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
      '2026-09-02T00:00:00.000Z',
    ]);
  });

  it('binds the values in UTC and never prints them', () => {
    const parameters: unknown[] = [];
    const sql = instantFilterSql('created_at', filters('ge0001-01-02T00:00:00.5 02:00'), parameters);
    expect(sql).toBe('created_at >= $1::timestamptz');
    expect(parameters).toEqual(['0001-01-01T22:00:00.500Z']);
  });
});
