import { brokenAt, placedFaults } from './faults';

const TEXT = '{\n  "name": 5,\n  "a/b": [1]\n}';
const at = (...loc: string[]) => placedFaults(TEXT, [{ loc: ['body', ...loc], msg: 'is wrong' }]);

describe('The errors of an edited document', () => {
  it('are at their places in the text', () => {
    expect(at('server', 'name')).toEqual([{ message: '/name: is wrong', line: 2, column: 3, from: 4, to: 13 }]);
    expect(at('server', 'a/b', '0')).toMatchObject([{ message: '/a~1b/0: is wrong', line: 3, column: 11 }]);
    expect(at('server')).toMatchObject([{ message: 'is wrong', line: 1, column: 1 }]);
    expect(at('other')).toEqual([]);
  });

  it('begin with the place where the text stops being JSON', () => {
    expect(brokenAt(TEXT)).toBeUndefined();
    expect(brokenAt('{\n  "name": ,\n}')).toMatchObject({ line: 2, column: 11 });
  });
});
