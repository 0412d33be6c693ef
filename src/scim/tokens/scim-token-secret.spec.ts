import { digestOf, looksLikeToken, newToken, prefixOf } from './scim-token-secret';

describe('A SCIM token', () => {
  it('is another one each time, of a form that can be told at once', () => {
    const tokens = new Set(Array.from({ length: 100 }, newToken));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(looksLikeToken(token)).toBe(true);
  });

  it.each([
    '',
    'tys_',
    `tys_${'x'.repeat(42)}`,
    `tys_${'x'.repeat(44)}`,
    `TYS_${'x'.repeat(43)}`,
    `tys_${'é'.repeat(43)}`,
  ])('is not %j', (text) => {
    expect(looksLikeToken(text)).toBe(false);
  });

  it('is verified by a digest of 256 bits', () => {
    expect(digestOf('tys_a').toString('hex')).toBe('a3049e2653ba25f00c42ecbfa5026f722a24637ff6475ce1a95a3271f3c7ec19');
    expect(prefixOf('tys_abcdefgh')).toBe('tys_abcd');
  });
});
