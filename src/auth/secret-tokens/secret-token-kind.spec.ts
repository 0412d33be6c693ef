import { createHash } from 'node:crypto';
import { SecretTokenKind } from './secret-token-kind';

const KIND = new SecretTokenKind({
  mark: 'tyx_',
  prefixLength: 8,
  table: 'example_tokens',
  owner: 'example_id',
  cap: { name: 'tokens of an example', code: 'example_conflict' as never, detail: (most) => `It has ${most}.` },
});

describe('A kind of secret token', () => {
  it('creates a different token each time, in a form that it recognises', () => {
    const tokens = new Set(Array.from({ length: 100 }, () => KIND.create().token));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(KIND.hasForm(token)).toBe(true);
  });

  it.each([
    '',
    'tyx_',
    `tyx_${'x'.repeat(42)}`,
    `tyx_${'x'.repeat(44)}`,
    `TYX_${'x'.repeat(43)}`,
    `tyy_${'x'.repeat(43)}`,
    `tyx_${'é'.repeat(43)}`,
  ])('does not recognise %j', (text) => {
    expect(KIND.hasForm(text)).toBe(false);
  });

  it('shows as many characters of a token as its prefix length says', () => {
    const { token, prefix } = KIND.create();
    expect(prefix).toBe(token.slice(0, 8));
  });

  it('stores a digest of 256 bits, from which the token cannot be guessed', () => {
    const { token, digest } = KIND.create();
    expect(digest).toEqual(createHash('sha256').update(token).digest());
  });
});
