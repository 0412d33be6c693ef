import { entriesOf, noteIgnored } from './json-object';

const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`a${n}`, n]));

describe('The attributes of an object', () => {
  it.each([
    ['', 'The body has more than 1000 attributes.'],
    ['name', '"name" has more than 1000 attributes.'],
  ])('are at most 1,000, and the error names the object: "%s"', (where, detail) => {
    expect(() => entriesOf(many, where)).toThrow(detail);
  });

  it('are each there once, in whatever case', () => {
    expect(() => entriesOf({ title: 1, Title: 2 }, '')).toThrow('"Title" appears twice.');
    expect(() => entriesOf({ givenName: 1, givenname: 2 }, 'name')).toThrow('"name.givenname" appears twice.');
  });
});

it('Of ignored names 100 are kept, and a mark that there were more', () => {
  const ignored = new Set<string>();
  for (let n = 0; n < 150; n++) noteIgnored(ignored, `unknown${n}`);
  expect([...ignored].slice(-2)).toEqual(['unknown99', '…']);
  expect(ignored.size).toBe(101);
});
