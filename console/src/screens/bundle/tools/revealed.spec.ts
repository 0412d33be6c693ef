import { revealed } from './revealed';

describe('revealed', () => {
  it('writes what cannot be seen as code points', () => {
    expect(revealed('a\u200bb\u202ec\u{e0041}')).toBe('a⟨U+200B⟩b⟨U+202E⟩c⟨U+E0041⟩');
    expect(revealed('a b\tc\r\nd')).toBe('a b\tc\nd');
  });
});
