import fc from 'fast-check';
import { SLUG_PATTERN } from './kinds';
import { slugOf } from './slug';

describe('A slug', () => {
  it.each([
    ['Acme', 'acme'],
    ['  Acme & Sons, Ltd. ', 'acme-sons-ltd'],
    ['Crème Brûlée', 'creme-brulee'],
    ['İstanbul', 'istanbul'],
    ['ﬁne ①', 'fine-1'],
    ['io.github.acme/weather', 'io-github-acme-weather'],
    ['a--b__c', 'a-b-c'],
    [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
    ['x'.repeat(100), 'x'.repeat(60)],
  ])('of %j is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it.each(['', ' ', '-', '東京', '🙂', '\0'])('cannot be derived from %j', (name) => {
    expect(slugOf(name)).toBeUndefined();
  });

  it('is itself a valid slug and derived from itself', () => {
    const name = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 200 }));
    fc.assert(
      fc.property(name, (text) => {
        const slug = slugOf(text);
        fc.pre(slug !== undefined);
        expect(slug).toMatch(new RegExp(SLUG_PATTERN));
        expect(slug.length).toBeLessThanOrEqual(60);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});
