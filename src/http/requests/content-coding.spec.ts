import fc from 'fast-check';
import { acceptedCoding } from './content-coding';

describe('The accepted content coding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=1.0, BR;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['deflate', undefined],
    ['gzip;q=banana', 'gzip'],
  ])('of %s is %s', (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding);
    // The cached answer is the same.
    expect(acceptedCoding(header)).toBe(coding);
  });

  it('is br, gzip or undefined for any header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect(['br', 'gzip', undefined]).toContain(acceptedCoding(header));
      }),
    );
  });
});
