import type { Problem, ProblemCode } from './compiled-bundle';
import { ProblemList } from './problem-list';

const problem = (entryId: string, subject: number, code: ProblemCode = 'left_out'): Problem => {
  return { code, entryId, subject: String(subject), detail: 'It has no "inputSchema".' };
};
const many = (entryId: string, count: number, code?: ProblemCode) =>
  Array.from({ length: count }, (_, index) => problem(entryId, index, code));

describe('The problems of a bundle', () => {
  it('are shown in their order, if they are few', () => {
    const list = new ProblemList();
    const all = [...many('a', 50), problem('b', 1), ...many('a', 50, 'uri_taken')];
    list.add(...all);
    expect([list.all, list.count]).toEqual([all, 101]);
  });

  it('are cut for each kind and entry, and say how many more there are', () => {
    const list = new ProblemList();
    list.add(...many('a', 2_000), problem('b', 1), ...many('a', 3, 'name_clash'));
    const more = { code: 'left_out', entryId: 'a', detail: '1899 more of this kind at this entry are not shown.' };
    expect(list.all).toEqual([...many('a', 101), more, problem('b', 1), ...many('a', 3, 'name_clash')]);
    expect(list.count).toBe(2_004);
  });

  it('are bounded for all entries together, but one of each kind is there', () => {
    const list = new ProblemList();
    for (let entry = 0; entry < 500; entry++)
      list.add(...many(`${entry}`, 100), ...many(`${entry}`, 100, 'uri_taken'), {
        code: 'list_failed',
        entryId: `${entry}`,
        detail: 'It did not answer.',
      });
    expect(list.count).toBe(500 * 201);
    const { all } = list;
    expect(all.length).toBeLessThan(1_000 + 5 * 500 + 1);
    for (const code of ['left_out', 'uri_taken', 'list_failed'])
      expect(new Set(all.filter((each) => each.code === code).map(({ entryId }) => entryId)).size).toBe(500);
    const told = all.reduce((sum, { detail }) => sum + Number(/^(\d+) more/.exec(detail)?.[1] ?? 1), 0);
    expect(told).toBe(list.count);
  });
});
