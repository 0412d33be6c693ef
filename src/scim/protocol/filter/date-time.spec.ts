import fc from 'fast-check';
import { type DateTime, parseDateTime } from './date-time';

const described = (parsed: DateTime | undefined) =>
  parsed && { instant: parsed.instant.toISOString(), position: parsed.position };

const exactly = (instant: string) => ({ instant, position: 'exact' });

describe('An xsd:dateTime in a filter', () => {
  it.each([
    ['2026-11-20T08:30:00Z', exactly('2026-11-20T08:30:00.000Z')],
    ['2026-11-20T08:30:00', exactly('2026-11-20T08:30:00.000Z')],
    ['2026-11-20T08:30:00.123456', { instant: '2026-11-20T08:30:00.124Z', position: 'before' }],
    ['2026-11-20T08:30:00+02:00', exactly('2026-11-20T06:30:00.000Z')],
    ['2026-11-20T08:30:00-14:00', exactly('2026-11-20T22:30:00.000Z')],
    ['2026-11-20T24:00:00Z', exactly('2026-11-21T00:00:00.000Z')],
    ['2026-12-31T24:00:00.000', exactly('2027-01-01T00:00:00.000Z')],
    ['2026-11-20T24:00:00+02:00', exactly('2026-11-20T22:00:00.000Z')],
    ['2026-11-20T08:30:00.1Z', exactly('2026-11-20T08:30:00.100Z')],
    ['2026-11-20T08:30:00.1230000000Z', exactly('2026-11-20T08:30:00.123Z')],
    ['2026-11-20T08:30:00.1234567891Z', { instant: '2026-11-20T08:30:00.124Z', position: 'before' }],
    [`2026-11-20T08:30:00.${'0'.repeat(4_000)}1`, { instant: '2026-11-20T08:30:00.001Z', position: 'before' }],
    ['2024-02-29T00:00:00', exactly('2024-02-29T00:00:00.000Z')],
    ['0001-01-01T00:00:00Z', exactly('0001-01-01T00:00:00.000Z')],
    ['0000-02-29T00:00:00Z', { instant: '0001-01-01T00:00:00.000Z', position: 'before' }],
    ['-0004-02-29T00:00:00Z', { instant: '0001-01-01T00:00:00.000Z', position: 'before' }],
    ['0001-01-01T00:00:00+00:01', { instant: '0001-01-01T00:00:00.000Z', position: 'before' }],
    ['9999-12-31T23:59:59.999Z', exactly('9999-12-31T23:59:59.999Z')],
    ['9999-12-31T23:59:59.9991Z', { instant: '9999-12-31T23:59:59.999Z', position: 'after' }],
    ['9999-12-31T24:00:00Z', { instant: '9999-12-31T23:59:59.999Z', position: 'after' }],
    ['12024-02-29T00:00:00Z', { instant: '9999-12-31T23:59:59.999Z', position: 'after' }],
    [`${'9'.repeat(100)}-01-01T00:00:00Z`, { instant: '9999-12-31T23:59:59.999Z', position: 'after' }],
  ])('%s', (text, expected) => {
    expect(described(parseDateTime(text))).toEqual(expected);
  });

  it.each([
    '',
    '2026-11-20',
    '2026-11-20T08:30',
    '2026-11-20T08:30Z',
    '2026-11-20 08:30:00',
    '2026-11-20T08:30:00 02:00',
    '2026-11-20T08:30:00z',
    '2026-11-20t08:30:00Z',
    '2026-11-20T08:30:00.',
    '2026-11-20T08:30:00,5',
    '2026-11-20T24:00:00.1Z',
    '2026-11-20T24:00:01Z',
    '2026-11-20T24:01:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T08:60:00Z',
    '2026-11-20T08:30:60Z',
    '2026-11-20T08:30:00+24:00',
    '2026-11-20T08:30:00+0200',
    '2026-02-29T08:30:00Z',
    '1900-02-29T08:30:00Z',
    '12023-02-29T00:00:00Z',
    '2026-04-31T08:30:00Z',
    '2026-13-01T08:30:00Z',
    '2026-00-01T08:30:00Z',
    '2026-01-00T08:30:00Z',
    '02026-11-20T08:30:00Z',
    '+2026-11-20T08:30:00Z',
    '226-11-20T08:30:00Z',
    '2026-11-20T08:30:00Z ',
    ' 2026-11-20T08:30:00Z',
    '2026-11-20T08:30:00Z\n',
    '٢٠٢٦-11-20T08:30:00Z',
    'now',
  ])('cannot be %j', (text) => {
    expect(parseDateTime(text)).toBeUndefined();
  });

  const instants = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });

  it('without an offset is UTC, in whatever precision', () => {
    fc.assert(
      fc.property(instants, fc.stringMatching(/^0{0,12}$/), (instant, zeros) => {
        const text = instant.toISOString().replace('Z', zeros);
        expect(parseDateTime(text)).toEqual({ instant, position: 'exact' });
      }),
    );
  });

  it('with an offset is that much earlier', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -840, max: 840 }), (instant, minutes) => {
        const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
        const text = instant.toISOString().replace('Z', offset);
        expect(parseDateTime(text)?.instant.getTime()).toBe(instant.getTime() - minutes * 60_000);
      }),
    );
  });
});
