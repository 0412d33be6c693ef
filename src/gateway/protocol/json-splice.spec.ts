import fc from 'fast-check';
import { bytesAt, compacted, hasOnlyMember, namesIn, repeatsNames, rewritten, withMembers } from './json-splice';

const key = fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', ''), fc.string());

/** With white space, as people and some servers write. */
const spaced = fc
  .tuple(fc.jsonValue(), fc.constantFrom(0, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('withMembers', () => {
  it('changes, adds and drops members as assigning and deleting does', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true }),
        fc.dictionary(key, fc.option(fc.jsonValue(), { nil: undefined }), { noNullPrototype: true }),
        fc.constantFrom(0, 2),
        (object, changes, indent) => {
          const expected = new Map(Object.entries(JSON.parse(JSON.stringify(object)) as object));
          for (const [name, value] of Object.entries(changes))
            if (value === undefined) expected.delete(name);
            else expected.set(name, JSON.parse(JSON.stringify(value)));
          const given = Object.entries(changes).map(([name, value]) => [name, JSON.stringify(value)]);
          const text = withMembers(
            Buffer.from(JSON.stringify(object, null, indent)),
            Object.fromEntries(given) as Record<string, string | undefined>,
          );
          expect(new Map(Object.entries(JSON.parse(text) as object))).toEqual(expected);
        },
      ),
    );
  });

  it('keeps the values of others as they came, and one of each name', () => {
    const text = Buffer.from('{ "f" : 1.0, "\\u0061":[1, 2.50], "a":725653563933458432, "gone": {"x":1} }');
    expect(withMembers(text, { gone: undefined, more: '1e2', f: undefined })).toBe(
      '{"a":725653563933458432,"more":1e2}',
    );
  });
});

describe('rewritten', () => {
  it('says what was changed, and everything else as it came', () => {
    fc.assert(
      fc.property(spaced, spaced, fc.array(key, { maxLength: 3 }), (before, part, path) => {
        const [was, value] = [JSON.parse(before) as unknown, JSON.parse(part) as unknown];
        expect(rewritten(Buffer.from(before), was, was)).toBe(before);
        for (const after of [value, replaced(was, path, value), structuredClone(was)])
          expect(JSON.parse(rewritten(Buffer.from(before), was, after))).toEqual(JSON.parse(JSON.stringify(after)));
      }),
    );
  });

  it('keeps numbers beside a change, however deep it is, and in copies', () => {
    const text =
      '{"name":"x","inputSchema":{"properties":{"id":{"maximum":9007199254740993,"default":1.0},"k":{}},"required":["id","k"]}}';
    const was = JSON.parse(text) as { inputSchema: { properties: { id: unknown } } };
    const { id } = was.inputSchema.properties;
    const after = { ...was, name: 'y', inputSchema: { properties: { id: structuredClone(id) }, required: ['id'] } };
    expect(rewritten(Buffer.from(text), was, after)).toBe(
      '{"name":"y","inputSchema":{"properties":{"id":{"maximum":9007199254740993,"default":1.0}},"required":["id"]}}',
    );
  });
});

describe('bytesAt', () => {
  it('finds what reading the members one after the other finds', () => {
    fc.assert(
      fc.property(spaced, fc.array(key, { maxLength: 3 }), (text, path) => {
        const found = bytesAt(Buffer.from(text), path);
        const value = path.reduce<unknown>(
          (place, name) => (isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined),
          JSON.parse(text),
        );
        expect(found?.parse()).toEqual(value);
      }),
    );
    expect(bytesAt(Buffer.from('{"a":{"a":{"id": 725653563933458432 }}}'), ['a', 'a', 'id'])?.text).toBe(
      '725653563933458432',
    );
  });
});

describe('compacted', () => {
  it('takes off white space only', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(compacted(Buffer.from(JSON.stringify(value, null, indent))).toString()).toBe(JSON.stringify(value));
      }),
    );
    expect(compacted(Buffer.from(' { "a b" :\r\n[ 1.0 ,\t"\\" "] } ')).toString()).toBe('{"a b":[1.0,"\\" "]}');
  });
});

describe('repeatsNames', () => {
  it.each([
    ['{"a":1,"b":{"a":[{"c":1},{"c":2}]}}', false],
    ['{"a":1,"\\u0061":2}', true],
    ['[{"b":{"__proto__":1,"__proto__":1}}]', true],
    ['{"b":{"__proto__":1}}', false],
    ['"a"', false],
  ])('%s: %s', (text, expected) => expect(repeatsNames(Buffer.from(text), JSON.parse(text))).toBe(expected));

  it('names each member once', () => expect(namesIn(Buffer.from('{"b":1,"\\u0061":2,"a":3}'))).toEqual(['b', 'a']));
});

function replaced(value: unknown, [name, ...rest]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part;
  if (!isObject(value)) return value;
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return Object.fromEntries([...Object.entries(value), [name, replaced(member, rest, part)]]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('hasOnlyMember', () => {
  it.each([
    ['{ "result" : [{"a":1}] }', true],
    ['{"r\\u0065sult":null}', true],
    ['{"result":1,"a":2}', false],
    ['{"other":1}', false],
    ['{}', false],
    ['[{"result":1}]', false],
    ['"result"', false],
  ])('of %s is %s', (text, expected) => {
    expect(hasOnlyMember(Buffer.from(text), 'result')).toBe(expected);
  });
});
