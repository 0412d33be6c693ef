import fc from 'fast-check';
import { recordedText } from './recorded-text';

describe('A text of the record', () => {
  it('is bounded, and has nothing that PostgreSQL refuses or that a line does not show', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 100 }), (text, most) => {
        const recorded = recordedText(text, most) ?? '';
        expect(Array.from(recorded).length).toBeLessThanOrEqual(Math.max(most, 1));
        expect(recorded).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(recorded.isWellFormed()).toBe(true);
      }),
    );
  });

  it.each([
    ['plain text', 'plain text'],
    ['a\u0000b\nc', 'a\ufffdb\ufffdc'],
    ['\ud800', '\ufffd'],
    ['x'.repeat(11), 'x'.repeat(10)],
    ['😀'.repeat(20), '😀'.repeat(10)],
    [undefined, null],
    [17, null],
  ])('of %j is %j', (text, recorded) => {
    expect(recordedText(text, 10)).toBe(recorded);
  });
});
