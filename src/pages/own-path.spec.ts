import fc from 'fast-check';
import { ownPath } from './own-path';

describe('A path to return to', () => {
  it.each([
    ['/', '/'],
    ['/account', '/account'],
    ['/oauth2/authorize?client_id=x&state=%2F%2Fy', '/oauth2/authorize?client_id=x&state=%2F%2Fy'],
    ['/a/../b', '/b'],
    ['/docs#/Users', '/docs#/Users'],
  ])('can be %s', (text, path) => expect(ownPath(text)).toBe(path));

  it.each([
    undefined,
    7,
    ['/account'],
    '',
    'account',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/ä',
    `/${'x'.repeat(2_000)}`,
  ])('cannot be %j', (text) => expect(ownPath(text)).toBeUndefined());

  it('never leads to another origin', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '//',
      'evil.example',
      '@',
      ':',
      'https:',
      '?',
      '#',
      '%2f',
      '\t',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = ownPath(parts.join('')) ?? '/';
        expect(new URL(path, 'https://toolyard.test').origin).toBe('https://toolyard.test');
      }),
    );
  });
});
