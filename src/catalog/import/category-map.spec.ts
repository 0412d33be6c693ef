import { readCategoryMap } from './category-map';

describe('A category map', () => {
  it('has categories and assignments, or only assignments', () => {
    expect(readCategoryMap({ 'io.a/b': 'maps' }).assignments.get('io.a/b')).toBe('maps');
    const { categories, assignments } = readCategoryMap({
      categories: [
        { slug: 'maps' },
        { slug: 'data', name: 'Data', description: 'All.', icon: 'table', display_order: 7 },
      ],
    });
    expect(categories).toEqual([
      { slug: 'maps', name: 'maps', description: '', icon: 'box', display_order: 10 },
      { slug: 'data', name: 'Data', description: 'All.', icon: 'table', display_order: 7 },
    ]);
    expect(assignments.size).toBe(0);
  });

  it.each([
    [[], 'A category map is a JSON object.'],
    [null, 'A category map is a JSON object.'],
    [{ 'io.a/b': 5 }, 'The category of io.a/b must be a slug.'],
    [{ assignments: [] }, '"assignments" of a category map must be an object.'],
    [{ categories: {} }, '"categories" of a category map must be a list.'],
    [{ categories: ['maps'] }, 'Category 1 of the map must be an object.'],
    [{ categories: [{ slug: 'Big Maps' }] }, 'Category 1 of the map needs a slug'],
    [{ categories: [{ slug: 'x'.repeat(61) }] }, 'Category 1 of the map needs a slug'],
    [{ categories: [{ slug: 'maps' }, { slug: 'maps' }] }, 'The category maps appears twice in the map.'],
    [{ categories: [{ slug: 'maps', name: 1 }] }, '(maps): its name must'],
    [{ categories: [{ slug: 'maps', name: ' ' }] }, '(maps): its name must'],
    [{ categories: [{ slug: 'maps', description: 'x'.repeat(501) }] }, '(maps): its description must'],
    [{ categories: [{ slug: 'maps', description: '\0' }] }, '(maps): its description must'],
    [{ categories: [{ slug: 'maps', icon: 'No icon' }] }, '(maps): its icon must'],
    [{ categories: [{ slug: 'maps', display_order: 1.5 }] }, '(maps): its display_order must'],
    [{ categories: [{ slug: 'maps', display_order: 99_999_999_999 }] }, '(maps): its display_order must'],
  ])('reports what is wrong with %j', (json, message) => {
    expect(() => readCategoryMap(json)).toThrow(message);
  });
});
