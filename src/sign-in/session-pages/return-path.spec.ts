import fc from 'fast-check';
import { returnPath } from './return-path';

describe('Where to go on after signing in', () => {
  it('is always on this host, whatever a browser makes of it', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '//',
      '.',
      '..',
      '@',
      ':',
      'https:',
      'evil.example',
      '\t',
      '\n',
      '%2f',
      '%5c',
      '?',
      '#',
      'a',
      ' ',
      'é',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const path = returnPath(parts.join(''));
        const target = new URL(path ?? '/', 'https://toolyard.test/sign-in');
        expect(target.origin).toBe('https://toolyard.test');
        // A browser that parses it once more still stays here.
        expect(new URL(target.pathname + target.search, 'https://toolyard.test').origin).toBe('https://toolyard.test');
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([undefined, null, 1, ['/a'], {}, ''])('is not %j', (value) => {
    expect(returnPath(value)).toBeUndefined();
  });

  it('keeps paths and queries', () => {
    expect(returnPath('/oauth2/authorize?a=1&b=%20')).toBe('/oauth2/authorize?a=1&b=%20');
  });
});
