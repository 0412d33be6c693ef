import fc from 'fast-check';
import { compareSequences, compareWords, pairLines } from './sequence-comparison';

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });

describe('compareSequences', () => {
  it('contains both sequences, each in its order', () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const runs = compareSequences(before, after);
        const without = (kind: string) => runs.flatMap((run) => (run.kind === kind ? [] : run.parts));
        expect(without('added')).toEqual(before);
        expect(without('removed')).toEqual(after);
      }),
    );
  });

  it('finds no difference in the same', () => {
    fc.assert(
      fc.property(letters, (parts) => {
        expect(compareSequences(parts, parts).filter(({ kind }) => kind !== 'same')).toEqual([]);
      }),
    );
  });

  it('replaces as a whole what is too long to be compared', () => {
    const before = Array.from({ length: 1_100 }, (_, index) => `b${index}`);
    const after = Array.from({ length: 1_100 }, (_, index) => `a${index}`);
    expect(compareSequences(before, after)).toEqual([
      { kind: 'removed', parts: before },
      { kind: 'added', parts: after },
    ]);
  });
});

describe('compareWords', () => {
  it('names the words that differ', () => {
    expect(compareWords('Reads a file.', 'Reads a whole file.')).toEqual([
      { kind: 'same', text: 'Reads a ' },
      { kind: 'added', text: 'whole ' },
      { kind: 'same', text: 'file.' },
    ]);
  });
});

describe('pairLines', () => {
  it('puts a line beside the one that it replaces', () => {
    expect(pairLines('a\nb\nc', 'a\nx\nc\nd')).toEqual([
      { kind: 'same', before: 'a', after: 'a' },
      { kind: 'changed', before: 'b', after: 'x' },
      { kind: 'same', before: 'c', after: 'c' },
      { kind: 'added', before: undefined, after: 'd' },
    ]);
  });

  it('has each line of both documents once', () => {
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const pairs = pairLines(before.join('\n'), after.join('\n'));
        expect(pairs.flatMap((pair) => pair.before ?? [])).toEqual(before);
        expect(pairs.flatMap((pair) => pair.after ?? [])).toEqual(after);
      }),
    );
  });
});
