import fc from 'fast-check';
import { digestOfPages, listPages, pageAt } from './list-pages';

const itemsOf = (text: string): unknown => (JSON.parse(`{${text}}`) as { tools: unknown }).tools;
const LIMITS = { items: 3, bytes: 20 };

describe('The pages of a list', () => {
  it('have all items in their order, within the limits', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), (values) => {
        const items = values.map((value) => JSON.stringify(value));
        const pages = listPages('tools', items, LIMITS);
        expect(pages.flatMap(({ items: bytes }) => itemsOf(bytes.toString()))).toEqual(values);
        for (const [index, page] of pages.entries()) {
          expect(page.count <= 3 && (page.items.length <= 20 + 10 || page.count === 1)).toBe(true);
          expect(page.next).toBe(pages[index + 1]?.start);
        }
      }),
    );
  });

  it('are one even if the list is empty', () => {
    const pages = listPages('tools', []);
    expect(pages).toHaveLength(1);
    expect(pages[0]?.items.toString()).toBe('"tools":[]');
    expect(pageAt(pages, 0)).toBe(pages[0]);
    expect(pageAt(pages, 1)).toBeUndefined();
  });

  it('are found by a place, also one that began a page before the list changed', () => {
    const pages = listPages('tools', ['1', '2', '3', '4', '5'], LIMITS);
    expect([0, 2, 3, 4, 5].map((place) => pageAt(pages, place)?.start)).toEqual([0, 0, 3, 3, undefined]);
  });

  it('have a digest that changes with any item, and with the list that it is in', () => {
    const digest = (...lists: string[][]) => digestOfPages(...lists.map((items) => listPages('tools', items)));
    expect(digest(['1', '2'])).toBe(digest(['1', '2']));
    const others = [
      digest(['2', '1']),
      digest(['1']),
      digest(['1', '2'], []),
      digest(['1'], ['2']),
      digest([], ['1', '2']),
    ];
    expect(new Set([digest(['1', '2']), ...others]).size).toBe(others.length + 1);
  });
});
