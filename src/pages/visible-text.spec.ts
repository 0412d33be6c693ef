import fc from 'fast-check';
import { foreignText, visibleText } from './visible-text';

describe('A text that somebody else chose', () => {
  it('never contains what cannot be seen, and does not change when it is shown again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const visible = visibleText(text);
        expect(visible ?? 'x').not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|^\s|\s$|\p{M}{4}/u);
        expect(visibleText(visible ?? '')).toBe(visible);
      }),
    );
  });

  it.each([
    ['<b>Acme</b>', '<bdi>&lt;b&gt;Acme&lt;/b&gt;</bdi>'],
    ['\u202Eemca \u2067\u0000', '<bdi>emca</bdi>'],
    ['\u3164', '<bdi>(without a name)</bdi>'],
  ])('is shown apart from the sentence around it: %j', (text, shown) => {
    expect(foreignText(text).text).toBe(shown);
  });
});
