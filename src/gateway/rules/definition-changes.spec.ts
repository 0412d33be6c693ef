import fc from 'fast-check';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { definitionChanges, lineChanges } from './definition-changes';

const definition = fc.dictionary(fc.constantFrom('name', 'description', 'a/b', 'c~d'), fc.jsonValue({ maxDepth: 3 }));
/** JSON has one zero. */
const plain = (value: JsonObject) => JSON.parse(JSON.stringify(value)) as JsonObject;

/** The value at a JSON pointer. */
function at(value: unknown, pointer: string): unknown {
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>((place, part) => {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(place)) return (place as unknown[])[Number(key)];
    return isObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }, value);
}

describe('The changes of a definition', () => {
  it('are none between two that are the same, and some between two that are not', () => {
    fc.assert(
      fc.property(definition.map(plain), definition.map(plain), (one, other) => {
        expect(definitionChanges(one, structuredClone(one))).toEqual([]);
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(definitionChanges(one, other).length === 0).toBe(isSame);
      }),
    );
  });

  it('are where their pointers say', () => {
    fc.assert(
      fc.property(definition.map(plain), definition.map(plain), (one, other) => {
        for (const change of definitionChanges(one, other)) {
          expect(change.before).toEqual(at(one, change.pointer));
          expect(change.after).toEqual(at(other, change.pointer));
        }
      }),
    );
  });

  it('say which lines of a text differ, with those around them, and what cannot be seen', () => {
    const before = ['One', 'two', 'three', 'four', 'five', 'six', 'seven'].join('\n');
    const after = before.replace('five', 'five\u200b\nfive and a half');
    expect(lineChanges(before, after)).toEqual([
      ' three',
      ' four',
      '-five',
      '+fiveU+200B',
      '+five and a half',
      ' six',
      ' seven',
    ]);
  });

  it('lead from one text to the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineChanges(before, after);
        const added = lines.filter((line) => line.startsWith('+')).length;
        const removed = lines.filter((line) => line.startsWith('-')).length;
        const count = (one: string) => (one === '' ? 0 : one.split('\n').length);
        expect(added - removed).toBe(count(after) - count(before));
        expect(before === after).toBe(lines.length === 0);
      }),
    );
  });

  it('of texts with very many lines are all of them', () => {
    const many = (word: string) => Array.from({ length: 600 }, () => word).join('\n');
    expect(lineChanges(many('a'), many('b'))).toHaveLength(1_200);
  });
});

/** Members in one order. Each says what it is: an object without members is no empty array. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['array', ...(value as unknown[]).map(sorted)];
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return ['object', ...members.map(([name, member]) => [name, sorted(member)])];
}
