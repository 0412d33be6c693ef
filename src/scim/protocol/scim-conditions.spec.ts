import { isKnown, requireMatch } from './scim-conditions';

describe('If-Match of a SCIM request', () => {
  it.each([undefined, '*', 'W/"7"', '"7"', 'W/"7.0123abcd"', 'W/"6", W/"7"', ' W/"7" '])(
    'accepts %s for version 7',
    (header) => {
      expect(() => requireMatch(header, 7)).not.toThrow();
    },
  );

  it.each(['W/"6"', 'W/"70"', 'W/"0.7"', '7', '', '"*"', 'W/"6.7"'])('rejects %s for version 7', (header) => {
    expect(() => requireMatch(header, 7)).toThrow(expect.objectContaining({ failure: 'preconditionFailed' }) as Error);
  });
});

describe('If-None-Match of a SCIM request', () => {
  it.each([
    ['W/"7.ab"', true],
    ['"7.ab"', true],
    ['*', true],
    ['W/"1", W/"7.ab"', true],
    ['W/"7"', false],
    ['W/"7.ac"', false],
    ['7.ab', false],
    ['', false],
    [undefined, false],
  ])('%s matches W/"7.ab": %s', (header, known) => {
    expect(isKnown(header, 'W/"7.ab"')).toBe(known);
  });
});
