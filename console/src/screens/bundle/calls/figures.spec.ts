import fc from 'fast-check';
import { durationText, percentile, shareText, sizeText } from './figures';

describe('A share', () => {
  it.each([
    [0, 10, '0%'],
    [1, 3, '33.3%'],
    [10, 10, '100%'],
    [1, 1_000_000, '<0.1%'],
    [999_999, 1_000_000, '>99.9%'],
    [0, 0, undefined],
  ])('%d of %d is %s', (part, whole, text) => expect(shareText(part, whole, 'en')).toBe(text));
});

describe('A duration', () => {
  it.each([
    [0, '0 ms'],
    [7.24, '7.2 ms'],
    [9.97, '10 ms'],
    [182.4, '182 ms'],
    [999.4, '999 ms'],
    [999.6, '1 sec'],
    [1_840, '1.8 sec'],
    [9_970, '10 sec'],
    [59_400, '59 sec'],
    [59_600, '1 min'],
    [125_000, '2 min 5 sec'],
    [3_600_000, '60 min'],
  ])('%d ms is %s', (ms, text) => expect(durationText(ms, 'en')).toBe(text));
});

describe('A size', () => {
  it.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [4_240, '4.2 kB'],
    [64_000, '64 kB'],
    [2_500_000, '2.5 MB'],
  ])('%d is %s', (bytes, text) => expect(sizeText(bytes, 'en')).toBe(text));
});

describe('A percentile', () => {
  it('is the least value that so many do not exceed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), fc.constantFrom(0.5, 0.95, 0.99), (values, fraction) => {
        const value = percentile(values, fraction) ?? Number.NaN;
        expect(values).toContain(value);
        const within = (limit: number) => values.filter((one) => one <= limit).length;
        expect(within(value)).toBeGreaterThanOrEqual(fraction * values.length);
        expect(within(value - 1)).toBeLessThan(fraction * values.length);
      }),
    );
  });

  it('is none of nothing', () => expect(percentile([], 0.5)).toBeUndefined());
});
