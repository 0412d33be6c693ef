import {
  InstantFilter,
  InstantFilterSyntaxError,
  instantFilterSql,
  matchesInstantFilters,
  parseInstantFilter,
} from './instant-filter';

const NOW = new Date('2026-07-10T00:00:00.000Z');

/** Whether an instant matches the parameters, as in the list of endpoints. */
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

describe('The created_at filter of the contract', () => {
  it('treats a missing prefix as eq', () => {
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
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z', '2017-01-01T00:00:01.000Z'],
    ['2016-12-31T23:59:60.5', '2017-01-01T00:00:00.500Z', '2017-01-01T00:00:00.600Z'],
    ['2026-03-01T10:00:60+02:00', '2026-03-01T08:01:00.000Z', '2026-03-01T08:01:01.000Z'],
    ['0099-03', '0099-03-01T00:00:00.000Z', '0099-04-01T00:00:00.000Z'],
  ])('%s covers the whole span of its precision', (value, from, until) => {
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
  ])('accepts a date-time with %s', (_, value, from) => {
    expect(ranges(`ge${value}`)).toEqual([[from, null]]);
  });

  it.each([
    ['ge', '2026-03-01T10:00:00.1230000000Z', [['2026-03-01T10:00:00.123Z', null]]],
    ['gt', '2026-03-01T10:00:00.1230000000Z', [['2026-03-01T10:00:00.124Z', null]]],
    ['ge', '2026-03-01T10:00:00.1230000001Z', [['2026-03-01T10:00:00.124Z', null]]],
    ['lt', '2026-03-01T10:00:00.1230000001', [[null, '2026-03-01T10:00:00.124Z']]],
    ['le', '2026-03-01T10:00:00.9999999999Z', [[null, '2026-03-01T10:00:01.000Z']]],
    ['eq', '2026-03-01T10:00:00.1230000001Z', []],
    ['eq', `2026-03-01T10:00:00.${'0'.repeat(5_000)}Z`, [['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.001Z']]],
  ])('takes more fraction digits than stored instants have, by the prefix %s (%#)', (prefix, value, expected) => {
    expect(ranges(`${prefix}${value}`)).toEqual(expected);
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

  it('ap widens a span in the future by the distance to its start', () => {
    expect(ranges('ap2026-07-20')).toEqual([['2026-07-19T00:00:00.000Z', '2026-07-22T00:00:00.000Z']]);
  });

  it.each([
    ['within', '2026-07-10T12:00:00Z'],
    ['at the start of', '2026-07-10T00:00:00Z'],
    ['at the end of', '2026-07-11T00:00:00Z'],
  ])('ap does not widen a span if now is %s the span', (_, now) => {
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

  it('matches everything without a parameter, and nothing with a filter without a range', () => {
    expect(matchesInstantFilters(NOW, [])).toBe(true);
    expect(matchesInstantFilters(NOW, [[]])).toBe(false);
    expect(matchesInstantFilters(NOW, [[{ from: null, until: null }], []])).toBe(false);
  });
});

describe('A created_at filter with a span finer than a millisecond', () => {
  it('matches no stored instant unless the span contains a whole millisecond', () => {
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

describe('A created_at filter at the edges of the years 0001 to 9999', () => {
  it.each([
    ['ge0001', [['0001-01-01T00:00:00.000Z', null]]],
    ['eq9999', [['9999-01-01T00:00:00.000Z', null]]],
    ['le9999', [[null, null]]],
    ['lt9999-12-31T23:59:60Z', [[null, null]]],
    ['ge0001-01-01T00:00+14:00', [[null, null]]],
    ['lt9999-12-31T23:59-14:00', [[null, null]]],
    ['ap0100', [[null, '0293-07-21T04:48:00.000Z']]],
    ['ap9900', [['9112-08-27T02:24:00.000Z', null]]],
    ['ne9999', [[null, '9999-01-01T00:00:00.000Z']]],
    ['ne0001', [['0002-01-01T00:00:00.000Z', null]]],
  ])('%s leaves a bound open beyond which there are no rows', (parameter, expected) => {
    expect(ranges(parameter)).toEqual(expected);
  });

  it.each([
    'gt9999',
    'ge9999-12-31T23:59:60Z',
    'sa9999-12-31',
    'ge9999-12-31T23:59-14:00',
    'lt0001',
    'eb0001-01-01',
    'le0001-01-01T00:00+14:00',
  ])('%s selects nothing, rather than everything', (parameter) => {
    expect(ranges(parameter)).toEqual([]);
  });
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
  ['second must be between 0 and 60', ['2026-03-01T10:00:61', '2016-12-31T23:59:99Z']],
  ['offset must be', ['2026-03-01T10:00+14:01', '2026-03-01T10:00-14:01', '2026-03-01T10:00+15:00']],
  ['offset must be', ['2026-03-01T10:00+02:60', '2026-03-01T10:00 99:00', '2026-03-01T10:00-00:99']],
];

describe('An invalid created_at filter', () => {
  const failure = (parameter: string): unknown => {
    try {
      return parseInstantFilter(parameter, NOW);
    } catch (error) {
      return error;
    }
  };

  it.each(MALFORMED.flatMap(([reason, parameters]) => parameters.map((parameter) => [parameter, reason])))(
    '%j is rejected: %s',
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

  it('gets a short error message', () => {
    expect((failure('x'.repeat(10_000)) as Error).message.length).toBeLessThan(300);
  });
});

describe('instantFilterSql', () => {
  const filters = (...parameters: string[]): InstantFilter[] =>
    parameters.map((parameter) => parseInstantFilter(parameter, NOW));

  it('is TRUE without filters and binds nothing', () => {
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
  ])('puts %s into one operand', (parameter, sql, bound) => {
    const parameters: unknown[] = [];
    expect(instantFilterSql('created_at', filters(parameter), parameters)).toBe(sql);
    expect(parameters).toEqual(bound);
  });

  it('joins parameters by AND and pieces by OR, continuing the parameter numbers', () => {
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
