import { methodWords } from './method-words';
import { recentFor } from './recent-for';

const WORDS = { pwd: 'password', hwk: 'passkey', user: 'passkey' };

describe('How a person signed in', () => {
  it('is said once where two methods are one thing', () => {
    expect(methodWords(['hwk', 'user'], WORDS)).toEqual(['passkey']);
  });

  it('is said as it is where it is not known, and left out where it is no text', () => {
    expect(methodWords(['pwd', 'x509', 7], WORDS)).toEqual(['password', 'x509']);
    expect(methodWords(undefined, WORDS)).toEqual([]);
  });
});

describe('A sign-in', () => {
  it('is recent for five minutes', () => {
    const at = '2026-01-01T00:00:00.000Z';
    expect(recentFor(at, Date.parse(at))).toBe(300_000);
    expect(recentFor(at, Date.parse(at) + 299_000)).toBe(1_000);
    expect(recentFor(at, Date.parse(at) + 301_000)).toBe(0);
  });
});
