import fc from 'fast-check';
import { jsonPointer, pointerSteps } from './json-pointer';

describe('A JSON pointer', () => {
  // The examples of RFC 6901, section 5.
  it.each([
    ['', []],
    ['/foo', ['foo']],
    ['/foo/0', ['foo', 0]],
    ['/', ['']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    ['/ ', [' ']],
    ['/~01', ['~1']],
  ])('%s', (pointer, steps) => {
    expect(jsonPointer(steps)).toBe(pointer);
    expect(pointerSteps(pointer)).toEqual(steps.map(String));
  });

  it('leads back to the steps that it was made of', () => {
    const step = fc.oneof(fc.string(), fc.stringMatching(/^[~/01]*$/));
    fc.assert(fc.property(fc.array(step), (steps) => expect(pointerSteps(jsonPointer(steps))).toEqual(steps)));
  });
});
